package io.flinkgpu.cells;

import org.apache.flink.annotation.Internal;

/**
 * Quantiles with a relative error of the value: DDSketch (C. Masson, J. E. Rim, H. K. Lee, "DDSketch: A Fast
 * and Fully-Mergeable Quantile Sketch with Relative-Error Guarantees", VLDB 2019), without its collapsing of
 * buckets, so the guarantee holds for each quantile.
 *
 * <pre>
 *   cell    a {@link QuantileBuckets bucket} (4, the least byte first) and how many values are in it (8), for
 *           each that has any, in the order of the values
 * </pre>
 *
 * Counts are added, so a cell depends on the values alone. A row adds one bucket. For each power of ten that
 * the values' magnitudes span there are 115 buckets at most with an error of 1 %: 1.4 KB.
 *
 * @param error of the values, relative, more than 0 and less than 1
 * @param quantile from 0 to 1
 */
@Internal
public record QuantileSketch(double error, double quantile) implements CellFunction {

    /** One percent. */
    public static final double DEFAULT_ERROR = 0.01;

    private static final long serialVersionUID = 1L;
    private static final int COUNT = Integer.BYTES;
    private static final int ENTRY = Integer.BYTES + Long.BYTES;

    public QuantileSketch {
        QuantileBuckets.check(error);
    }

    @Override
    public boolean isCell(byte[] bytes, int at, int length) {
        if (length % ENTRY != 0) {
            return false;
        }
        for (int i = ENTRY; i < length; i += ENTRY) {
            if (bucket(bytes, at + i) <= bucket(bytes, at + i - ENTRY)) {
                return false;
            }
        }
        for (int i = 0; i < length; i += ENTRY) {
            if (count(bytes, at + i) < 1) {
                return false;
            }
        }
        return true;
    }

    @Override
    public void merge(Cell into, byte[] more, int at, int length) {
        int size = into.length() / ENTRY;
        int added = 0;
        int place = 0;
        // How many entries are new, to make room for all of them at once.
        for (int i = 0; i < length; i += ENTRY) {
            int bucket = bucket(more, at + i);
            place = search(into, place, size, bucket);
            added += place == size || bucket(into, place) != bucket ? 1 : 0;
        }
        into.resize(into.length() + ENTRY * added);
        // From the last to the first, each entry is moved once at most.
        int from = size;
        int left = added;
        for (int i = length - ENTRY; i >= 0; i -= ENTRY) {
            int bucket = bucket(more, at + i);
            int next = search(into, 0, from, bucket);
            boolean isThere = next < from && bucket(into, next) == bucket;
            move(into, isThere ? next + 1 : next, from, left);
            from = next;
            if (isThere) {
                int to = ENTRY * (next + left);
                long count = into.getLong(ENTRY * next + COUNT) + count(more, at + i);
                move(into, next, next + 1, left);
                into.putLong(to + COUNT, count);
            } else {
                left--;
                into.put(ENTRY * (next + left), more, at + i, ENTRY);
            }
        }
    }

    /** Moves entries up. */
    private static void move(Cell cell, int from, int to, int by) {
        if (by == 0 || from == to) {
            return;
        }
        byte[] moved = new byte[ENTRY * (to - from)];
        cell.get(ENTRY * from, moved, 0, moved.length);
        cell.put(ENTRY * (from + by), moved, 0, moved.length);
    }

    /** The first entry of some whose bucket is not less. */
    private static int search(Cell cell, int first, int end, int bucket) {
        int from = first;
        int to = end;
        while (from < to) {
            int middle = (from + to) >>> 1;
            if (bucket(cell, middle) < bucket) {
                from = middle + 1;
            } else {
                to = middle;
            }
        }
        return from;
    }

    private static int bucket(Cell cell, int entry) {
        return cell.getInt(ENTRY * entry);
    }

    private static int bucket(byte[] bytes, int at) {
        return (int) HeapCell.INTS.get(bytes, at);
    }

    private static long count(byte[] bytes, int at) {
        return (long) HeapCell.LONGS.get(bytes, at + COUNT);
    }

    /** The value with floor(q (n - 1)) others before it: a Double. */
    @Override
    public Object result(byte[] cell, int at, int length) {
        long values = 0;
        for (int i = 0; i < length; i += ENTRY) {
            values += count(cell, at + i);
        }
        int next = at;
        long left = (long) (quantile * (values - 1)) - count(cell, next);
        while (left >= 0) {
            next += ENTRY;
            left -= count(cell, next);
        }
        return new QuantileBuckets(error).value(bucket(cell, next));
    }
}
