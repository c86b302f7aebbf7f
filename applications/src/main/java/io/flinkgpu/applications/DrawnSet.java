package io.flinkgpu.applications;

import java.util.Arrays;

/** A set whose elements are drawn, each once. Not thread-safe. */
final class DrawnSet {

    private static final int MAX_DIGITS = 10;

    private final long[] has;
    private final int[] elements;
    private int size;

    /**
     * @param count elements are smaller
     * @param longest how many a set has at most
     */
    DrawnSet(int count, int longest) {
        has = new long[(count + 63) >>> 6];
        elements = new int[longest];
    }

    int size() {
        return size;
    }

    /** In ascending order once the set is complete. */
    int get(int index) {
        return elements[index];
    }

    void clear() {
        for (int i = 0; i < size; i++) {
            has[elements[i] >>> 6] = 0;
        }
        size = 0;
    }

    /** Adds an element that is not in the set yet. */
    void add(int element) {
        long bit = 1L << element;
        if ((has[element >>> 6] & bit) == 0) {
            has[element >>> 6] |= bit;
            elements[size++] = element;
        }
    }

    /** Draws until the set has {@code length} elements, and sorts them. */
    void complete(ElementDraws draws, int length, SplitMix random) {
        while (size < length) {
            add(draws.draw(random));
        }
        Arrays.sort(elements, 0, size);
    }

    /** The most bytes of the line of a set. */
    static int maxLineBytes(int longest) {
        return longest * (MAX_DIGITS + 1) + 1;
    }

    /** Writes the elements with commas between, and the line's end; returns where it ends. */
    int copyLine(byte[] target, int start) {
        int at = start;
        for (int i = 0; i < size; i++) {
            if (i > 0) {
                target[at++] = ',';
            }
            at = number(elements[i], target, at);
        }
        target[at++] = '\n';
        return at;
    }

    private static int number(int number, byte[] target, int start) {
        int end = start + 1;
        for (int rest = number / 10; rest > 0; rest /= 10) {
            end++;
        }
        int rest = number;
        for (int at = end - 1; at >= start; at--) {
            target[at] = (byte) ('0' + rest % 10);
            rest /= 10;
        }
        return end;
    }
}
