package io.flinkgpu.text;

/**
 * Finds matches in time linear in the row, whatever the row. Slower than a walk of the {@link Dfa} on
 * ordinary text; takes over where a row runs over its step budget.
 */
public final class LinearMatcher {

    LinearMatcher(Nfa nfa) {}

    /** Sets the row to scan; it must not change until the next call. */
    public void reset(byte[] row, int length) {
        throw new UnsupportedOperationException();
    }

    /**
     * Finds the leftmost match that starts at {@code from} or behind it.
     *
     * @return whether there is one; then {@link #start()}, {@link #end()} and {@link #rule()} tell
     */
    public boolean find(int from) {
        throw new UnsupportedOperationException();
    }

    public int start() {
        throw new UnsupportedOperationException();
    }

    public int end() {
        throw new UnsupportedOperationException();
    }

    public int rule() {
        throw new UnsupportedOperationException();
    }
}
