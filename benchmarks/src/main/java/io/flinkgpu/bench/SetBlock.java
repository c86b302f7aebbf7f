package io.flinkgpu.bench;

import java.util.Arrays;

/** Some changes of documents, as arrays that are used again. One thread's at a time. */
final class SetBlock {

    private final long[] ids;
    private final boolean[] deletes;
    private final int[] starts;
    private int[] elements;
    private int changes;

    /**
     * @param most changes that it has room for
     */
    SetBlock(int most) {
        ids = new long[most];
        deletes = new boolean[most];
        starts = new int[most + 1];
        elements = new int[most * 80];
    }

    void clear() {
        changes = 0;
    }

    /** Adds a document with the elements of a version of it, as {@link SetData#document} has them. */
    void upsert(long id, SetData data, long version, long likeLong, SetData.Room room) {
        int from = starts[changes];
        if (elements.length < from + data.length(likeLong)) {
            elements = Arrays.copyOf(elements, elements.length * 2);
        }
        add(id, false, data.document(version, likeLong, room, elements, from));
    }

    void delete(long id) {
        add(id, true, starts[changes]);
    }

    private void add(long id, boolean isDelete, int end) {
        ids[changes] = id;
        deletes[changes] = isDelete;
        starts[++changes] = end;
    }

    int changes() {
        return changes;
    }

    long id(int change) {
        return ids[change];
    }

    boolean isDelete(int change) {
        return deletes[change];
    }

    /** Where the elements of a change start, and those of the change before it end. */
    int start(int change) {
        return starts[change];
    }

    /** Of all changes. */
    int[] elements() {
        return elements;
    }
}
