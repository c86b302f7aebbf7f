package io.flinkgpu.sql.aggregate;

import io.flinkgpu.exact.Digits;
import io.flinkgpu.exact.DoubleOrder;
import io.flinkgpu.exact.RoundedSum;
import io.flinkgpu.groups.GroupCursor;

import org.apache.flink.core.memory.MemorySegment;
import org.apache.flink.core.memory.MemorySegmentFactory;
import org.apache.flink.table.data.binary.BinaryRowData;

import java.math.BigInteger;

/**
 * Groups as rows of Flink: the key's fields and the accumulators, written as they cross the network, so that
 * nothing becomes an object on the way. Reused from group to group.
 */
final class GroupRow {

    /** Where Flink has the kind of a row among its bits; bits of fields that are null are from there on. */
    private static final int KIND_BITS = 8;

    private static final long INLINED = 1L << Long.SIZE - 1;

    private final int keys;
    private final long references;
    private final Accumulator[] accumulators;
    private final boolean[] doubles;
    private final int keyHeader;
    private final int header;
    private final int fixed;

    private final BinaryRowData row;
    private byte[] bytes;
    private MemorySegment segment;
    private long[] bins = new long[0];

    GroupRow(LocalAggregation aggregation) {
        keys = aggregation.keys();
        references = aggregation.references();
        accumulators = aggregation.accumulators().toArray(Accumulator[]::new);
        doubles = new boolean[accumulators.length];
        int decimals = 0;
        for (int i = 0; i < accumulators.length; i++) {
            Accumulator accumulator = accumulators[i];
            doubles[i] =
                    accumulator.kind() != Accumulator.Kind.SLICE
                            && aggregation.columns().get(accumulator.column()).kind()
                                    == AggregatedColumn.Kind.DOUBLE;
            decimals += accumulator.bytes() == Accumulator.DECIMAL_BYTES ? 1 : 0;
        }
        int fields = keys + accumulators.length;
        keyHeader = BinaryRowData.calculateBitSetWidthInBytes(keys);
        header = BinaryRowData.calculateBitSetWidthInBytes(fields);
        fixed = header + Long.BYTES * fields + Accumulator.DECIMAL_BYTES * decimals;
        row = new BinaryRowData(fields);
        grow(fixed);
    }

    private void grow(int size) {
        bytes = new byte[size];
        segment = MemorySegmentFactory.wrap(bytes);
    }

    /**
     * The row of a group.
     *
     * @param key a binary row of the key's fields, whose bits beyond those of the fields are 0
     * @param keyLength how many bytes of the array the key is
     */
    BinaryRowData of(byte[] key, int keyLength, GroupCursor group, long slice) {
        int keyFixed = keyHeader + Long.BYTES * keys;
        int size = fixed + keyLength - keyFixed;
        if (size > bytes.length) {
            grow(2 * size);
        }
        for (int i = 0; i < header; i += Long.BYTES) {
            segment.putLong(i, 0);
        }
        System.arraycopy(key, 0, bytes, 0, Long.BYTES);
        System.arraycopy(key, keyHeader, bytes, header, Long.BYTES * keys);
        System.arraycopy(key, keyFixed, bytes, fixed, keyLength - keyFixed);
        moveReferences(fixed - keyFixed);
        int variable = header + Long.BYTES * (keys + accumulators.length);
        for (int i = 0; i < accumulators.length; i++) {
            Accumulator accumulator = accumulators[i];
            int slot = header + Long.BYTES * (keys + i);
            boolean isNull = isNull(accumulator, group);
            if (isNull) {
                setNull(keys + i);
            }
            if (accumulator.bytes() == Accumulator.DECIMAL_BYTES) {
                int length = isNull ? 0 : decimal(accumulator, group, variable);
                segment.putLong(slot, (long) variable << Integer.SIZE | length);
                variable += Accumulator.DECIMAL_BYTES;
            } else {
                segment.putLong(slot, isNull ? 0 : word(accumulator, doubles[i], group, slice));
            }
        }
        row.pointTo(segment, 0, size);
        return row;
    }

    /** Lets the fields of the key that refer to bytes behind them refer to where those are now. */
    private void moveReferences(int by) {
        for (long left = references; left != 0; left &= left - 1) {
            int field = Long.numberOfTrailingZeros(left);
            int slot = header + Long.BYTES * field;
            long reference = segment.getLong(slot);
            boolean isNull = (segment.getLong(0) >>> KIND_BITS + field & 1) != 0;
            if (!isNull && (reference & INLINED) == 0) {
                segment.putLong(slot, reference + ((long) by << Integer.SIZE));
            }
        }
    }

    private void setNull(int field) {
        int bit = KIND_BITS + field;
        int at = bit / Long.SIZE * Long.BYTES;
        segment.putLong(at, segment.getLong(at) | 1L << bit);
    }

    private static boolean isNull(Accumulator accumulator, GroupCursor group) {
        return switch (accumulator.kind()) {
            case SUM, MIN, MAX -> group.count(accumulator.column()) == 0;
            case COUNT, SUM_OR_ZERO, SLICE -> false;
        };
    }

    private long word(Accumulator accumulator, boolean isDouble, GroupCursor group, long slice) {
        int column = accumulator.column();
        long word =
                switch (accumulator.kind()) {
                    case COUNT -> group.count(column);
                    case SUM, SUM_OR_ZERO -> isDouble ? sum(group, column) : group.sumLow(column);
                    case MIN -> ordered(group.min(column), isDouble);
                    case MAX -> ordered(group.max(column), isDouble);
                    case SLICE -> slice;
                };
        int unused = Long.SIZE - Byte.SIZE * accumulator.bytes();
        return word << unused >>> unused;
    }

    private static long ordered(long word, boolean isDouble) {
        return isDouble ? DoubleOrder.toBits(word) : word;
    }

    private long sum(GroupCursor group, int column) {
        if (bins.length != group.bins(column)) {
            bins = new long[group.bins(column)];
        }
        for (int i = 0; i < bins.length; i++) {
            bins[i] = group.bin(column, i);
        }
        return Double.doubleToLongBits(
                new RoundedSum(Digits.of(group.firstBin(column), bins), group.specials(column))
                        .dividedBy(1));
    }

    /** Writes a sum as a decimal; gives the length. */
    private int decimal(Accumulator accumulator, GroupCursor group, int at) {
        long high = group.sumHigh(accumulator.column());
        long low = group.sumLow(accumulator.column());
        segment.putLong(at, 0);
        segment.putLong(at + Long.BYTES, 0);
        byte[] unscaled =
                (high == low >> Long.SIZE - 1
                                ? BigInteger.valueOf(low)
                                : BigInteger.valueOf(high)
                                        .shiftLeft(Long.SIZE)
                                        .add(new BigInteger(Long.toUnsignedString(low))))
                        .toByteArray();
        segment.put(at, unscaled);
        return unscaled.length;
    }
}
