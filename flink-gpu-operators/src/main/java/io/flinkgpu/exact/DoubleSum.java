package io.flinkgpu.exact;

import org.apache.flink.annotation.Internal;

import java.util.Arrays;

/**
 * A sum of doubles without rounding, on the {@link BinaryGrid}: only the bins between the least and the
 * greatest in use are there. Room for 2^63 values. Not thread-safe, but methods that give something leave
 * it as it is, so threads may read it while none adds.
 */
@Internal
public final class DoubleSum {

    private static final long[] NO_BINS = {};
    private static final int SPECIALS =
            BinaryGrid.NAN | BinaryGrid.POSITIVE_INFINITY | BinaryGrid.NEGATIVE_INFINITY;

    // An addition moves a bin by 2^32 at most, and carrying leaves 2^31 in it.
    private static final int ROOM = (int) (BinaryGrid.MAX_ADDITIONS - 2);

    private final int fullRoom;
    private long[] bins = NO_BINS;
    private int firstBin;

    // Additions until the bins have to be carried.
    private int room;
    private int specials;

    /** An empty sum: 0. */
    public DoubleSum() {
        this(ROOM);
    }

    /** An empty sum that carries after {@code fullRoom} additions. */
    DoubleSum(int fullRoom) {
        this.fullRoom = fullRoom;
        room = fullRoom;
    }

    /** Adds a double, given by its bits; infinities and NaN are remembered apart. */
    public void add(long bits) {
        int exponent = BinaryGrid.exponent(bits);
        if (!BinaryGrid.isFinite(exponent)) {
            specials |= BinaryGrid.special(bits);
            return;
        }
        takeRoom();
        long number = BinaryGrid.number(bits, exponent);
        int bin = BinaryGrid.firstBin(exponent);
        int at = bin - firstBin;
        if (at < 0 || at > bins.length - BinaryGrid.BINS_PER_VALUE) {
            // Zeros lie at the grid's foot and must not stretch the window down to it.
            if (number == 0) {
                return;
            }
            at = grow(bin, BinaryGrid.BINS_PER_VALUE);
        }
        int shift = BinaryGrid.shift(exponent);
        long[] into = bins;
        into[at] += BinaryGrid.first(number, shift);
        into[at + 1] += BinaryGrid.second(number, shift);
        into[at + 2] += BinaryGrid.third(number, shift);
    }

    /** Adds another sum, which stays as it is. */
    public void add(DoubleSum other) {
        if (other == this) {
            add(copy());
            return;
        }
        specials |= other.specials;
        long[] from = other.bins;
        int count = from.length;
        if (count == 0) {
            return;
        }
        takeRoom();
        int at = at(other.firstBin, count + carryBins(from[count - 1]));
        for (int i = 0; i < count; i++) {
            addSplit(at + i, from[i]);
        }
    }

    /**
     * Adds to one bin.
     *
     * @param bin 0 to {@link BinaryGrid#VALUE_BINS} - 1, or as {@link Digits} has them
     * @param amount any number, in the bin's unit
     */
    public void addToBin(int bin, long amount) {
        if (bin < 0) {
            throw new IllegalArgumentException("a bin is not negative: bin=" + bin);
        }
        if (amount == 0) {
            return;
        }
        takeRoom();
        addSplit(at(bin, 1 + carryBins(amount)), amount);
    }

    /** Sets specials, as {@link BinaryGrid} names them; those set before stay set. */
    public void addSpecials(int more) {
        if ((more & ~SPECIALS) != 0) {
            throw new IllegalArgumentException("there are no such specials: specials=" + more);
        }
        specials |= more;
    }

    public int specials() {
        return specials;
    }

    /** The sum of what was finite. */
    public Digits digits() {
        return Digits.of(firstBin, bins);
    }

    /** The sum, rounded once to the nearest double, ties to even. A sum that is zero is 0.0. */
    public double toDouble() {
        return dividedBy(1);
    }

    /**
     * The sum divided by a count, rounded once, likewise.
     *
     * @param count positive
     */
    public double dividedBy(long count) {
        return rounded().dividedBy(count);
    }

    /** The sum as it is now, to be rounded. */
    public RoundedSum rounded() {
        return new RoundedSum(digits(), specials);
    }

    public DoubleSum copy() {
        DoubleSum copy = new DoubleSum(fullRoom);
        copy.bins = bins.clone();
        copy.firstBin = firstBin;
        copy.room = room;
        copy.specials = specials;
        return copy;
    }

    /** Whether the sums are the same, however they came about. */
    @Override
    public boolean equals(Object other) {
        return other instanceof DoubleSum that
                && specials == that.specials
                && digits().equals(that.digits());
    }

    @Override
    public int hashCode() {
        return 31 * digits().hashCode() + specials;
    }

    @Override
    public String toString() {
        return String.valueOf(toDouble());
    }

    private void takeRoom() {
        if (room == 0) {
            carry();
        }
        room--;
    }

    private void carry() {
        Digits carried = digits();
        firstBin = carried.firstBin();
        bins = new long[carried.size()];
        Arrays.setAll(bins, carried::digit);
        room = fullRoom;
    }

    private void addSplit(int at, long amount) {
        int digit = (int) amount;
        bins[at] += digit;
        if (digit != amount) {
            bins[at + 1] += (amount >> BinaryGrid.BIN_BITS) + (digit >>> 31);
        }
    }

    private static int carryBins(long amount) {
        return (int) amount == amount ? 0 : 1;
    }

    /** Where a bin is, when it and those after it have been made. */
    private int at(int bin, int count) {
        int at = bin - firstBin;
        return at >= 0 && at <= bins.length - count ? at : grow(bin, count);
    }

    private int grow(int bin, int count) {
        if (bins.length == 0) {
            firstBin = bin;
        }
        int newFirst = Math.min(firstBin, bin);
        int newEnd = Math.max(firstBin + bins.length, bin + count);
        long[] grown = new long[newEnd - newFirst];
        System.arraycopy(bins, 0, grown, firstBin - newFirst, bins.length);
        bins = grown;
        firstBin = newFirst;
        return bin - newFirst;
    }
}
