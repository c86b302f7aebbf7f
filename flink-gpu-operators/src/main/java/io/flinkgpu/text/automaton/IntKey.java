package io.flinkgpu.text.automaton;

import java.util.Arrays;

/** An array of ints as a map key. The array must not change. */
final class IntKey {

    private final int[] values;
    private final int hash;

    IntKey(int[] values) {
        this.values = values;
        this.hash = Arrays.hashCode(values);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof IntKey that
                && hash == that.hash
                && Arrays.equals(values, that.values);
    }

    @Override
    public int hashCode() {
        return hash;
    }
}
