package io.flinkgpu.sets;

import org.apache.flink.annotation.Internal;

import java.util.Arrays;

/**
 * Small numbers for elements, from 0 on in the order in which they were first seen, until there are no more
 * numbers. Small elements, such as numbers of words, have an array; others are in a table with open
 * addressing, at most half full. Not thread-safe.
 */
@Internal
public final class ElementNumbers {

    /** So many that a word of 4 bytes for each fits into the shared memory of a block, with 3 KB left. */
    public static final int MAX_NUMBERS = 56_000;

    /** Elements below this have an array: its 256 KB stay in a core's cache. */
    private static final int SMALL = 1 << 17;

    private static final int FIRST_SLOTS = 1 << 10;
    private static final int SPREAD = 0x9E3779B9;

    private final int max;

    /** By small element: its number and one more; 0 if it has none. As long as it has to be. */
    private char[] ofSmall = new char[FIRST_SLOTS];

    /** An element in the upper half, and its number and one more; 0 where the slot is free. */
    private long[] slots = new long[FIRST_SLOTS];

    private int inSlots;
    private int count;

    public ElementNumbers() {
        this(MAX_NUMBERS);
    }

    /**
     * @param max how many numbers there are, at most {@link #MAX_NUMBERS}
     */
    ElementNumbers(int max) {
        this.max = max;
    }

    /** How many elements have a number. */
    public int count() {
        return count;
    }

    /** An element's number; -1 if it has none. */
    public int find(int element) {
        if (isSmall(element)) {
            return element < ofSmall.length ? ofSmall[element] - 1 : -1;
        }
        int mask = slots.length - 1;
        int index = first(element) & mask;
        while (true) {
            long slot = slots[index];
            if ((int) (slot >>> Integer.SIZE) == element || slot == 0) {
                return (int) slot - 1;
            }
            index = index + 1 & mask;
        }
    }

    /** An element's number, a new one if it has none; -1 if there is none left. */
    public int add(int element) {
        int number = find(element);
        if (number >= 0 || count == max) {
            return number;
        }
        count++;
        if (isSmall(element)) {
            while (element >= ofSmall.length) {
                ofSmall = Arrays.copyOf(ofSmall, 2 * ofSmall.length);
            }
            ofSmall[element] = (char) count;
        } else {
            if (2 * ++inSlots > slots.length) {
                grow();
            }
            put(slots, (long) element << Integer.SIZE | count);
        }
        return count - 1;
    }

    public long bytes() {
        return (long) Long.BYTES * slots.length + (long) Character.BYTES * ofSmall.length;
    }

    private static boolean isSmall(int element) {
        return Integer.compareUnsigned(element, SMALL) < 0;
    }

    private void grow() {
        long[] larger = new long[2 * slots.length];
        for (long slot : slots) {
            if (slot != 0) {
                put(larger, slot);
            }
        }
        slots = larger;
    }

    private static void put(long[] slots, long slot) {
        int mask = slots.length - 1;
        int index = first((int) (slot >>> Integer.SIZE)) & mask;
        while (slots[index] != 0) {
            index = index + 1 & mask;
        }
        slots[index] = slot;
    }

    private static int first(int element) {
        int hash = element * SPREAD;
        return hash ^ hash >>> 15;
    }
}
