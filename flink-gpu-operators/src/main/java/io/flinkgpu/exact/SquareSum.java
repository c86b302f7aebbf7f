package io.flinkgpu.exact;

import org.apache.flink.annotation.Internal;

/**
 * A sum of squares without rounding, on the {@link SquareGrid}; infinities and NaN add nothing. Room for
 * 2^60 values. Not thread-safe, but methods that give something leave it as it is.
 */
@Internal
public final class SquareSum {

    private final DoubleSum bins;

    /** An empty sum: 0. */
    public SquareSum() {
        this(new DoubleSum());
    }

    private SquareSum(DoubleSum bins) {
        this.bins = bins;
    }

    /** Adds the square of an integer. */
    public void addInteger(long number) {
        add(0, number);
    }

    /** Adds the square of a double, given by its bits. */
    public void addDouble(long bits) {
        int exponent = BinaryGrid.exponent(bits);
        if (BinaryGrid.isFinite(exponent)) {
            add(SquareGrid.position(exponent), BinaryGrid.magnitude(bits, exponent));
        }
    }

    private void add(int position, long number) {
        int bin = position / BinaryGrid.BIN_BITS;
        int shift = position % BinaryGrid.BIN_BITS;
        long low = SquareGrid.low(number);
        long high = SquareGrid.high(number);
        long middle = SquareGrid.middle(high, low, shift);
        long upper = SquareGrid.upper(high, shift);
        bins.addToBin(bin, SquareGrid.first(low, shift));
        bins.addToBin(bin + 1, SquareGrid.lower(middle));
        bins.addToBin(bin + 2, SquareGrid.higher(middle));
        bins.addToBin(bin + 3, SquareGrid.lower(upper));
        bins.addToBin(bin + 4, SquareGrid.higher(upper));
    }

    /** Adds to one bin of the grid, in its unit. */
    public void addToBin(int bin, long amount) {
        bins.addToBin(bin, amount);
    }

    /** Adds another sum, which stays as it is. */
    public void add(SquareSum other) {
        bins.add(other.bins);
    }

    public Digits digits() {
        return bins.digits();
    }

    public SquareSum copy() {
        return new SquareSum(bins.copy());
    }

    /** Whether the sums are the same, however they came about. */
    @Override
    public boolean equals(Object other) {
        return other instanceof SquareSum that && bins.equals(that.bins);
    }

    @Override
    public int hashCode() {
        return bins.hashCode();
    }

    @Override
    public String toString() {
        return digits().toString();
    }
}
