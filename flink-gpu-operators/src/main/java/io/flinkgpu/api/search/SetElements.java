package io.flinkgpu.api.search;

import io.flinkgpu.api.Errors;

import org.apache.flink.annotation.Internal;

import java.util.Arrays;

/** Elements of sets: unsigned 32-bit numbers, which are the bits of ints. */
@Internal
public final class SetElements {

    /** The most elements of a set. */
    public static final int MAX = 1_024;

    private SetElements() {}

    /**
     * Each element once, in the order of unsigned numbers: a new array.
     *
     * @param what whose set it is, for the error
     * @throws IllegalArgumentException if there are more than {@link #MAX} different ones
     */
    static int[] sorted(String what, int[] elements) {
        Errors.present("elements", elements);
        int[] sorted = elements.clone();
        flip(sorted);
        Arrays.sort(sorted);
        int size = 0;
        for (int element : sorted) {
            if (size == 0 || sorted[size - 1] != element) {
                sorted[size++] = element;
            }
        }
        flip(sorted);
        if (size > MAX) {
            throw new BadSetException(
                    "the set of a %s has at most %s elements: elements=%s; leave some out, for"
                            + " example those that nearly every set has",
                    what, MAX, size);
        }
        return size == sorted.length ? sorted : Arrays.copyOf(sorted, size);
    }

    private static void flip(int[] elements) {
        for (int i = 0; i < elements.length; i++) {
            elements[i] ^= Integer.MIN_VALUE;
        }
    }

    /**
     * The bits of unsigned numbers.
     *
     * @param what whose set it is, for the error
     * @throws IllegalArgumentException if one of them does not fit into 32 bits
     */
    static int[] ints(String what, long[] elements) {
        Errors.present("elements", elements);
        int[] ints = new int[elements.length];
        for (int i = 0; i < ints.length; i++) {
            if (elements[i] >>> Integer.SIZE != 0) {
                throw new BadSetException(
                        "an element of the set of a %s is a number from 0 to 4294967295: position=%s;"
                                + " hash others to 32 bits, or number them",
                        what, i);
            }
            ints[i] = (int) elements[i];
        }
        return ints;
    }
}
