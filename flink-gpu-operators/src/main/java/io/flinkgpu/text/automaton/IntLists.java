package io.flinkgpu.text.automaton;

import java.util.Arrays;

/** Different lists of ints, numbered from 0 on in the order they are added. Not thread-safe. */
final class IntLists {

    private static final int PRIME = 31;

    private int[] values = new int[1 << 10];
    private int[] from = new int[65];
    private int[] hashes = new int[64];

    /** A list's number and one, where its hash or the next free place is; 0 is free. */
    private int[] slots = new int[128];

    private int count;

    /** How many lists there are. */
    int count() {
        return count;
    }

    /** Where a list starts in {@link #values}. */
    int first(int list) {
        return from[list];
    }

    /** After a list's last value in {@link #values}. */
    int past(int list) {
        return from[list + 1];
    }

    /** The values of all lists, until the next one is added; not to be written to. */
    int[] values() {
        return values;
    }

    /** The number of the list of the first {@code length} values of an array, or -1. */
    int find(int[] list, int length) {
        int hash = hash(list, length);
        int mask = slots.length - 1;
        for (int slot = spread(hash) & mask; slots[slot] != 0; slot = slot + 1 & mask) {
            int known = slots[slot] - 1;
            if (hashes[known] == hash
                    && Arrays.equals(values, from[known], from[known + 1], list, 0, length)) {
                return known;
            }
        }
        return -1;
    }

    /** Adds the list of the first {@code length} values of an array, which must be new. */
    void add(int[] list, int length) {
        int start = from[count];
        if (start + length > values.length) {
            values = Arrays.copyOf(values, Math.max(2 * values.length, start + length));
        }
        if (count == hashes.length) {
            hashes = Arrays.copyOf(hashes, 2 * count);
            from = Arrays.copyOf(from, 2 * count + 1);
            slots = new int[4 * count];
            for (int known = 0; known < count; known++) {
                place(known);
            }
        }
        System.arraycopy(list, 0, values, start, length);
        from[count + 1] = start + length;
        hashes[count] = hash(list, length);
        place(count++);
    }

    private void place(int list) {
        int mask = slots.length - 1;
        int slot = spread(hashes[list]) & mask;
        while (slots[slot] != 0) {
            slot = slot + 1 & mask;
        }
        slots[slot] = list + 1;
    }

    private static int hash(int[] list, int length) {
        int hash = length;
        for (int i = 0; i < length; i++) {
            hash = PRIME * hash + list[i];
        }
        return hash;
    }

    private static int spread(int hash) {
        int mixed = hash * 0x9e3779b1;
        return mixed ^ mixed >>> 15;
    }
}
