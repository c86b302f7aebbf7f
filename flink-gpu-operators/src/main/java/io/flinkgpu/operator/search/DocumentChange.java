package io.flinkgpu.operator.search;

import io.flinkgpu.api.ValueGetter;
import io.flinkgpu.api.search.SetChange;

import org.apache.flink.annotation.Internal;

/**
 * A change on its way to the shard of its document.
 *
 * @param id of the document
 * @param packed it, as {@link PackedDocument} says; null if it is deleted
 */
@Internal
public record DocumentChange(long id, byte[] packed) {

    /** Reads the change of a record as one on its way; null where there is none. */
    public static <C> ValueGetter<C, DocumentChange> reading(ValueGetter<C, SetChange> getter) {
        return record -> {
            SetChange change = getter.get(record);
            return change == null ? null : of(change);
        };
    }

    /** A change on its way. */
    public static DocumentChange of(SetChange change) {
        return new DocumentChange(
                change.id(), change.isDelete() ? null : PackedDocument.of(change));
    }

    boolean isDelete() {
        return packed == null;
    }

    /** Shows neither id nor elements. */
    @Override
    public String toString() {
        return "DocumentChange[" + (isDelete() ? "delete" : "bytes=" + packed.length) + "]";
    }
}
