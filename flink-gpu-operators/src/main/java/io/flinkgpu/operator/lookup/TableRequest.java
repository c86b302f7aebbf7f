package io.flinkgpu.operator.lookup;

import org.apache.flink.annotation.Internal;

/**
 * A request on its way to a lookup, as the columns of a batch have it: bytes of numbers, little-endian.
 *
 * @param <Q> its record
 * @param ids 8 bytes each, of all bags
 * @param bags 4 bytes each: table and combiner
 * @param bagEnds 4 bytes each: where their ids end
 * @param weights 4 bytes each, as many as ids; null if all are 1
 * @param dense 4 bytes each
 * @param values the most that all bags give
 */
@Internal
public record TableRequest<Q>(
        Q record,
        byte[] ids,
        byte[] bags,
        byte[] bagEnds,
        byte[] weights,
        byte[] dense,
        long values) {

    /** Most of the memory that it takes besides its record. */
    long bytes() {
        return (long) ids.length
                + bags.length
                + bagEnds.length
                + (weights == null ? 0 : weights.length)
                + dense.length;
    }

    TableRequest<Q> withRecord(Q other) {
        return new TableRequest<>(other, ids, bags, bagEnds, weights, dense, values);
    }

    /** Shows nothing of the request. */
    @Override
    public String toString() {
        return "TableRequest[ids=" + ids.length / Long.BYTES + "]";
    }
}
