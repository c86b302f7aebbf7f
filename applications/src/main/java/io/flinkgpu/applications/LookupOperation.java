package io.flinkgpu.applications;

import io.flinkgpu.api.lookup.Bag;
import io.flinkgpu.api.lookup.Combiner;
import io.flinkgpu.api.lookup.LookupRequest;
import io.flinkgpu.api.lookup.VectorChange;

/**
 * What a line asks for: a change of a vector, or a lookup.
 *
 * @param line its number in its file; the first is 0
 * @param name of a lookup, its bytes as characters; null of a change
 * @param table its name, likewise
 * @param id of a change's vector
 * @param elements of a change's vector; null if it is deleted
 * @param combiner the number of a lookup's
 * @param ids of a lookup; null of a change
 */
public record LookupOperation(
        long line, String name, String table, long id, byte[] elements, int combiner, long[] ids)
        implements NumberedLine {

    private static final Combiner[] COMBINERS = Combiner.values();

    static LookupOperation change(long line, String table, long id, byte[] elements) {
        return new LookupOperation(line, null, table, id, elements, 0, null);
    }

    static LookupOperation lookup(
            long line, String name, String table, Combiner combiner, long[] ids) {
        return new LookupOperation(line, name, table, 0, null, combiner.ordinal(), ids);
    }

    boolean isLookup() {
        return ids != null;
    }

    VectorChange change() {
        return elements == null
                ? VectorChange.delete(table, id)
                : VectorChange.upsertElements(table, id, elements);
    }

    LookupRequest request() {
        return LookupRequest.of(Bag.of(table, COMBINERS[combiner], ids));
    }

    /** Shows nothing that the line has. */
    @Override
    public String toString() {
        return "LookupOperation[line=" + line + "]";
    }
}
