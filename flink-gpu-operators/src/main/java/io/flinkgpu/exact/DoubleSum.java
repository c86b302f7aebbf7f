package io.flinkgpu.exact;

/**
 * A sum of doubles without rounding, on the {@link BinaryGrid}: only the bins between the least and the
 * greatest in use are there. Not thread-safe.
 */
public final class DoubleSum {

    /** An empty sum: 0. */
    public DoubleSum() {}

    /** Adds a double, given by its bits; infinities and NaN are remembered apart. */
    public void add(long bits) {
        throw new UnsupportedOperationException();
    }

    /** Adds another sum, which stays as it is. */
    public void add(DoubleSum other) {
        throw new UnsupportedOperationException();
    }

    /**
     * Adds to one bin.
     *
     * @param bin 0 to {@link BinaryGrid#VALUE_BINS} - 1
     * @param amount any number, in the bin's unit
     */
    public void addToBin(int bin, long amount) {
        throw new UnsupportedOperationException();
    }

    /** Sets specials, as {@link BinaryGrid} names them; those set before stay set. */
    public void addSpecials(int specials) {
        throw new UnsupportedOperationException();
    }

    public int specials() {
        throw new UnsupportedOperationException();
    }

    /** The sum, rounded once to the nearest double, ties to even. A sum that is zero is 0.0. */
    public double toDouble() {
        throw new UnsupportedOperationException();
    }

    /** The sum divided by a count, rounded once, likewise. */
    public double dividedBy(long count) {
        throw new UnsupportedOperationException();
    }
}
