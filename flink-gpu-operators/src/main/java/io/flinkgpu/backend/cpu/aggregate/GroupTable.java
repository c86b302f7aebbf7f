package io.flinkgpu.backend.cpu.aggregate;

import java.util.Arrays;

/**
 * The groups of one batch after the other: numbers them in the order of their first rows and finds them
 * again by open addressing. What makes two rows one group, a subclass decides; it walks the slots
 * itself. Its arrays grow with the groups of the largest batch. Not thread-safe.
 */
abstract class GroupTable {

    private static final int MIN_SLOTS = 64;

    /** Up to here the table stays in a core's cache when it is so sparse that few groups collide. */
    private static final int FEW_GROUPS = 4096;

    /** The group in a slot, plus 1; 0 if the slot is free. */
    int[] slots = new int[MIN_SLOTS];

    /** Slots in use are a power of two; this is how far a hash is shifted to the right. */
    int shift;

    int mask;
    long[] hashes = new long[MIN_SLOTS];
    long[] slices = new long[MIN_SLOTS];

    private int[] firstRows = new int[MIN_SLOTS];
    private int groups;

    final int groups() {
        return groups;
    }

    final int firstRow(int group) {
        return firstRows[group];
    }

    final long slice(int group) {
        return slices[group];
    }

    /** Forgets all groups; expects the same number again. */
    final void clear(int rows) {
        useSlots(Math.min(groups, rows));
        groups = 0;
    }

    /** Makes a new group, whose slot is free. */
    final int add(int slot, long hash, long slice, int row) {
        int group = groups++;
        slots[slot] = groups;
        if (group == hashes.length) {
            hashes = Arrays.copyOf(hashes, 2 * group);
            slices = Arrays.copyOf(slices, 2 * group);
            firstRows = Arrays.copyOf(firstRows, 2 * group);
        }
        hashes[group] = hash;
        slices[group] = slice;
        firstRows[group] = row;
        if (2 * groups > mask) {
            rehash();
        }
        return group;
    }

    private void rehash() {
        useSlots(groups);
        for (int group = 0; group < groups; group++) {
            int slot = (int) (hashes[group] >>> shift);
            while (slots[slot] != 0) {
                slot = (slot + 1) & mask;
            }
            slots[slot] = group + 1;
        }
    }

    /** Frees all slots, of which there are more than two for each expected group. */
    private void useSlots(int expected) {
        int slotsPerGroup = expected <= FEW_GROUPS ? 16 : 4;
        int count = Math.max(MIN_SLOTS, Integer.highestOneBit(expected) * slotsPerGroup);
        if (count > slots.length) {
            slots = new int[count];
        } else {
            Arrays.fill(slots, 0, count, 0);
        }
        mask = count - 1;
        shift = Long.SIZE - Integer.numberOfTrailingZeros(count);
    }
}
