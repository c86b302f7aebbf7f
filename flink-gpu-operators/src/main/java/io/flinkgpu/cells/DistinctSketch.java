package io.flinkgpu.cells;

import io.flinkgpu.api.Errors;

import org.apache.flink.annotation.Internal;

import java.util.Arrays;

/**
 * How many different values there are, about: HyperLogLog with 2^lgK registers of a byte (P. Flajolet, E.
 * Fusy, O. Gandouet, F. Meunier, 2007), hashes of 64 bits, and few values kept one by one (S. Heule, M.
 * Nunkesser, A. Hall, "HyperLogLog in Practice", 2013). The standard error is 1.04 / sqrt(2^lgK): 1.6 % with
 * lgK 12; far less while values are kept one by one.
 *
 * <pre>
 *   cell    form (1): 0 few values, 1 many
 *   few     {@link Coupons} (4 each, the least byte first), ascending as unsigned numbers, none twice
 *   many    the registers (1 each): the greatest rank of the coupons with its number
 * </pre>
 *
 * A cell has the second form if it would have more than {@link #mostCoupons} coupons, so its bytes depend on
 * the set of values alone. A row adds one coupon.
 *
 * @param lgK the binary logarithm of the number of registers, 4 to 21
 * @param image whether the result is an image of an {@code HllSketch} of Apache DataSketches (HLL_8, {@code
 *     byte[]}), to be merged with others there; else the estimate, a Long
 */
@Internal
public record DistinctSketch(int lgK, boolean image) implements CellFunction {

    /** What DataSketches has, too. */
    public static final int DEFAULT_LG_K = 12;

    static final int FEW = 0;
    static final int MANY = 1;

    private static final long serialVersionUID = 1L;
    private static final int LEAST_LG_K = 4;
    private static final int GREATEST_LG_K = 21;

    public DistinctSketch {
        if (lgK < LEAST_LG_K || lgK > GREATEST_LG_K) {
            throw Errors.argument(
                    "a distinct count has 2^4 to 2^21 registers: lgK=%s; give a logarithm from %s to"
                            + " %s, of which 12 has an error of 1.6 percent",
                    lgK, LEAST_LG_K, GREATEST_LG_K);
        }
    }

    /** Writes what a row adds; gives how many bytes it has. */
    public static int encode(int coupon, byte[] to, int at) {
        to[at] = FEW;
        HeapCell.INTS.set(to, at + 1, coupon);
        return 1 + Integer.BYTES;
    }

    /** The most coupons that are kept one by one, as in DataSketches. */
    int mostCoupons() {
        return lgK < 8 ? 7 : 3 << lgK - 5;
    }

    int registers() {
        return 1 << lgK;
    }

    @Override
    public int mostBytes(int length, int more) {
        int few = length + more - 1;
        int mostFew = 1 + Integer.BYTES * mostCoupons();
        if (length == 0) {
            return more;
        }
        return few <= mostFew && few < 1 + registers() ? few : Math.max(1 + registers(), mostFew);
    }

    @Override
    public boolean isCell(byte[] bytes, int at, int length) {
        return switch (bytes[at]) {
            case FEW ->
                    (length - 1) % Integer.BYTES == 0
                            && length / Integer.BYTES <= Math.max(1, mostCoupons());
            case MANY -> length == 1 + registers();
            default -> false;
        };
    }

    @Override
    public void merge(Cell into, byte[] more, int at, int length) {
        if (into.length() == 0) {
            into.resize(length);
            into.put(0, more, at, length);
        } else if (more[at] == FEW) {
            for (int i = 1; i < length; i += Integer.BYTES) {
                add(into, intAt(more, at + i));
            }
        } else if (into.getByte(0) == MANY) {
            for (int i = 1; i < length; i++) {
                raise(into, i, more[at + i]);
            }
        } else {
            int[] coupons = coupons(into);
            into.resize(length);
            into.put(0, more, at, length);
            raise(into, coupons);
        }
    }

    private void add(Cell into, int coupon) {
        if (into.getByte(0) == MANY) {
            raise(into, coupon);
            return;
        }
        int count = into.length() / Integer.BYTES;
        int from = 0;
        int to = count;
        while (from < to) {
            int middle = (from + to) >>> 1;
            if (Integer.compareUnsigned(intAt(into, middle), coupon) < 0) {
                from = middle + 1;
            } else {
                to = middle;
            }
        }
        if (from < count && intAt(into, from) == coupon) {
            return;
        }
        if (count == mostCoupons()) {
            int[] coupons = coupons(into);
            into.resize(1 + registers());
            into.put(0, new byte[1 + registers()], 0, 1 + registers());
            into.putByte(0, (byte) MANY);
            raise(into, coupons);
            raise(into, coupon);
            return;
        }
        insert(into, from, count, coupon);
    }

    private static void insert(Cell into, int index, int count, int coupon) {
        int at = 1 + Integer.BYTES * index;
        byte[] tail = new byte[Integer.BYTES * (count - index + 1)];
        HeapCell.INTS.set(tail, 0, coupon);
        into.get(at, tail, Integer.BYTES, tail.length - Integer.BYTES);
        into.resize(into.length() + Integer.BYTES);
        into.put(at, tail, 0, tail.length);
    }

    private void raise(Cell into, int[] coupons) {
        for (int coupon : coupons) {
            raise(into, coupon);
        }
    }

    private void raise(Cell into, int coupon) {
        raise(into, 1 + (coupon & registers() - 1), (byte) Coupons.rank(coupon));
    }

    private static void raise(Cell into, int at, byte rank) {
        if (rank > into.getByte(at)) {
            into.putByte(at, rank);
        }
    }

    private static int[] coupons(Cell cell) {
        int[] coupons = new int[cell.length() / Integer.BYTES];
        Arrays.setAll(coupons, index -> intAt(cell, index));
        return coupons;
    }

    /** A coupon by its index. */
    private static int intAt(Cell cell, int index) {
        return cell.getInt(1 + Integer.BYTES * index);
    }

    private static int intAt(byte[] bytes, int at) {
        return (int) HeapCell.INTS.get(bytes, at);
    }

    @Override
    public Object result(byte[] cell, int at, int length) {
        if (image) {
            return HllImage.of(lgK, cell, at, length);
        }
        double estimate =
                cell[at] == FEW
                        ? DistinctEstimate.ofCoupons(length / Integer.BYTES)
                        : DistinctEstimate.ofRegisters(cell, at + 1, length - 1);
        return Math.round(estimate);
    }
}
