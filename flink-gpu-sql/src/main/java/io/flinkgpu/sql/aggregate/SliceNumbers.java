package io.flinkgpu.sql.aggregate;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/** Numbers the slices of windows that are open, from 0 on. */
final class SliceNumbers {

    /** So many slices can have a number. */
    static final int MAX = 1 << Short.SIZE - 1;

    private static final int RECENT = 16;
    private static final long SPREAD = 0x9e3779b97f4a7c15L;

    private final Map<Long, Integer> numbers = new HashMap<>();

    /** The numbers of some slices, each at a place that its end gives. */
    private final int[] recent = new int[RECENT];

    private long[] ends = new long[RECENT];
    private int size;

    /** The number of a slice by its end, a new one if it has none. There is room: see {@link #isFull}. */
    int of(long end) {
        int place = (int) (end * SPREAD >>> Long.SIZE - Integer.numberOfTrailingZeros(RECENT));
        int number = recent[place];
        if (number >= size || ends[number] != end) {
            number = find(end);
            recent[place] = number;
        }
        return number;
    }

    private int find(long end) {
        Integer known = numbers.get(end);
        if (known != null) {
            return known;
        }
        if (size == ends.length) {
            ends = Arrays.copyOf(ends, 2 * size);
        }
        ends[size] = end;
        numbers.put(end, size);
        return size++;
    }

    /** The end of a slice by its number. */
    long end(int number) {
        return ends[number];
    }

    /** Whether no other slice can have a number. */
    boolean isFull() {
        return size == MAX;
    }

    /** Forgets all slices. */
    void clear() {
        numbers.clear();
        size = 0;
    }
}
