package io.flinkgpu.operator.lookup;

import org.apache.flink.annotation.Internal;

/**
 * A change on its way to all subtasks of a lookup.
 *
 * @param table its number
 * @param vector as the table has its elements; null if it is deleted
 */
@Internal
public record TableChange(int table, long id, byte[] vector) {

    boolean isDelete() {
        return vector == null;
    }

    /** Shows neither id nor elements. */
    @Override
    public String toString() {
        return "TableChange[" + (isDelete() ? "delete" : "bytes=" + vector.length) + "]";
    }
}
