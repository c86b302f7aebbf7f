package io.flinkgpu.groups;

import org.apache.arrow.memory.util.MemoryUtil;

/**
 * Which rows were added to since each tier of state was written, and since they were emitted. Not
 * thread-safe.
 */
final class RowMarks {

    private static final int ALL = (RowLayout.SINCE_SECOND_TIER << GroupTable.TIERS - 1) - 1;

    private final RowPages rows;
    private int changed;
    private int unemitted;

    RowMarks(RowPages rows) {
        this.rows = rows;
    }

    /** How many were added to since {@link #clearChanged} of any tier. */
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
        if (marks != ALL) {
            MemoryUtil.putShort(row + RowLayout.CHANGED, (short) ALL);
            changed += ~marks & RowLayout.SINCE_SNAPSHOT;
            unemitted += (~marks & RowLayout.SINCE_EMISSION) >> 1;
        }
    }

    /** The mark of rows that were added to since a tier or one above it was written. */
    static int sinceTier(int tier) {
        return tier == 1 ? RowLayout.SINCE_SNAPSHOT : RowLayout.SINCE_SECOND_TIER << tier - 2;
    }

    /** Says that a tier was written, with what changed since it or one above it was; from 1 on. */
    void clearChanged(int tier) {
        int marks = 0;
        for (int written = 1; written <= tier; written++) {
            marks |= sinceTier(written);
        }
        clear(marks);
        changed = 0;
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
