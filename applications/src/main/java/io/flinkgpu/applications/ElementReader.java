package io.flinkgpu.applications;

import java.util.Arrays;

/** Reads sets: unsigned 32-bit numbers with ',' between, or nothing. Not thread-safe. */
final class ElementReader {

    private static final int[] NONE = {};
    private static final long MAX = 0xffff_ffffL;

    private int[] elements = new int[256];

    /**
     * The elements as they come.
     *
     * @throws IllegalArgumentException with the place of what is no number
     */
    int[] read(byte[] bytes, int from, int to) {
        if (from == to) {
            return NONE;
        }
        int count = 0;
        int at = from;
        while (true) {
            long value = 0;
            int first = at;
            for (; at < to; at++) {
                int digit = bytes[at] - '0';
                if (digit < 0 || digit > 9) {
                    break;
                }
                value = value * 10 + digit;
                if (value > MAX) {
                    throw bad(count);
                }
            }
            if (at == first || at < to && bytes[at] != ',') {
                throw bad(count);
            }
            if (count == elements.length) {
                elements = Arrays.copyOf(elements, 2 * count);
            }
            elements[count++] = (int) value;
            if (at == to) {
                return Arrays.copyOf(elements, count);
            }
            at++;
        }
    }

    private static IllegalArgumentException bad(int before) {
        return new IllegalArgumentException(
                "elements are numbers from 0 to 4294967295 with ',' between, and element "
                        + (before + 1)
                        + " is none; correct it");
    }
}
