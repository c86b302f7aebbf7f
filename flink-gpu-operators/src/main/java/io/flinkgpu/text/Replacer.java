package io.flinkgpu.text;

import io.flinkgpu.api.RuleSet;

/** Makes what stands in place of a match. Not thread-safe. */
public final class Replacer {

    /**
     * @param hashKey the key of hash actions; empty when no rule needs one
     */
    public Replacer(RuleSet rules, byte[] hashKey) {}

    /** The fixed replacement of a rule (label, drop), or null if it depends on the match. */
    public byte[] fixed(int rule) {
        throw new UnsupportedOperationException();
    }

    /**
     * Replaces the match of a rule, {@code bytes[from, to)}.
     *
     * @return the number of bytes of the replacement, which are the first of {@link #buffer()}
     */
    public int replace(int rule, byte[] bytes, int from, int to) {
        throw new UnsupportedOperationException();
    }

    /** Holds the last replacement until the next call. */
    public byte[] buffer() {
        throw new UnsupportedOperationException();
    }
}
