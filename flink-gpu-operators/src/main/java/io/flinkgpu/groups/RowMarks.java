package io.flinkgpu.groups;

import org.apache.arrow.memory.util.MemoryUtil;

/** Which rows were added to since a snapshot, and since they were emitted. Not thread-safe. */
final class RowMarks {

    private final RowPages rows;
    private int changed;
    private int unemitted;

    RowMarks(RowPages rows) {
        this.rows = rows;
    }

    /** How many were added to since {@link #clearChanged}. */
    int changed() {
        return changed;
    }

    /** How many were added to since {@link #clearUnemitted}. */
    int unemitted() {
        return unemitted;
    }

    /** Marks a row, by its address, as added to. */
    void mark(long row) {
        int marks = MemoryUtil.getShort(row + RowLayout.CHANGED);
        if (marks != (RowLayout.SINCE_SNAPSHOT | RowLayout.SINCE_EMISSION)) {
            MemoryUtil.putShort(
                    row + RowLayout.CHANGED,
                    (short) (RowLayout.SINCE_SNAPSHOT | RowLayout.SINCE_EMISSION));
            changed += ~marks & RowLayout.SINCE_SNAPSHOT;
            unemitted += (~marks & RowLayout.SINCE_EMISSION) >> 1;
        }
    }

    void clearChanged() {
        if (changed > 0) {
            clear(RowLayout.SINCE_SNAPSHOT);
            changed = 0;
        }
    }

    void clearUnemitted() {
        if (unemitted > 0) {
            clear(RowLayout.SINCE_EMISSION);
            unemitted = 0;
        }
    }

    private void clear(int mark) {
        for (int page = 0; page < rows.pages(); page++) {
            for (int place = 0; place < rows.size(page); place++) {
                long marks = rows.address(RowPages.row(page, place)) + RowLayout.CHANGED;
                MemoryUtil.putShort(marks, (short) (MemoryUtil.getShort(marks) & ~mark));
            }
        }
    }

    /** Says that there are no rows any more. */
    void forget() {
        changed = 0;
        unemitted = 0;
    }
}
