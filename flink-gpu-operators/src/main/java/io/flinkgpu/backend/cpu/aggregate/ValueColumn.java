package io.flinkgpu.backend.cpu.aggregate;

import io.flinkgpu.column.NumberView;
import io.flinkgpu.exact.BinaryGrid;

import org.apache.flink.annotation.Internal;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.util.MemoryUtil;

/**
 * The values of a column that are not null, one column after the other, each with the group of its row:
 * the column's own memory, or a copy where some values have to be left out or changed. Not thread-safe.
 */
@Internal
public final class ValueColumn implements AutoCloseable {

    private static final long MAGNITUDE = Long.MAX_VALUE;
    private static final long INFINITY = Double.doubleToRawLongBits(Double.POSITIVE_INFINITY);
    private static final long LEAST_NORMAL = Double.doubleToRawLongBits(Double.MIN_NORMAL);
    private static final long NAN = Double.doubleToLongBits(Double.NaN);

    private final BufferAllocator allocator;
    private int[] validGroupOf = new int[0];
    private ArrowBuf copy;
    private long address;
    private int[] groupOf;
    private int size;
    private long leastMagnitude;
    private long greatestMagnitude;
    private boolean hasSpecials;

    public ValueColumn(BufferAllocator allocator) {
        this.allocator = allocator;
    }

    int size() {
        return size;
    }

    /** Where the values are: integers, or the bits of doubles with a single NaN. */
    long address() {
        return address;
    }

    /** The group of each value. */
    int[] groupOf() {
        return groupOf;
    }

    /** Takes the values of a column of integers. Closed before the next column is taken. */
    void load(NumberView column, int[] rowGroups) {
        if (column.nulls() == 0) {
            address = column.dataAddress();
            groupOf = rowGroups;
            size = column.rows();
        } else {
            if (validGroupOf.length < column.rows()) {
                validGroupOf = new int[column.rows()];
            }
            makeCopy(column.rows());
            size = copyValid(column, rowGroups, validGroupOf, address);
            groupOf = validGroupOf;
        }
    }

    /** Takes the values of a column of doubles. */
    public void loadDoubles(NumberView column, int[] rowGroups) {
        load(column, rowGroups);
        findExponents();
        if (hasSpecials) {
            long from = address;
            if (copy == null) {
                makeCopy(size);
            }
            copyCanonical(from);
        }
    }

    /** Whether there are infinities or NaN; the values are then a copy, which may be written to. */
    boolean hasSpecials() {
        return hasSpecials;
    }

    /** The least of the grid's bins that finite values touch; 0 if they touch none. */
    public int firstBin() {
        return greatestMagnitude == 0 ? 0 : firstBin(leastMagnitude);
    }

    /** How many bins finite values touch. */
    public int bins() {
        return greatestMagnitude == 0
                ? 0
                : firstBin(greatestMagnitude) + BinaryGrid.BINS_PER_VALUE - firstBin();
    }

    private static int firstBin(long magnitude) {
        return BinaryGrid.firstBin(BinaryGrid.exponent(magnitude));
    }

    @Override
    public void close() {
        if (copy != null) {
            copy.close();
            copy = null;
        }
    }

    private void makeCopy(int rows) {
        copy = allocator.buffer((long) Long.BYTES * rows);
        address = copy.memoryAddress();
    }

    private void findExponents() {
        long from = address;
        long least = MAGNITUDE;
        long greatest = 0;
        long overflow = 0;
        for (int i = 0; i < size; i++) {
            long magnitude = MemoryUtil.getLong(from + 8L * i) & MAGNITUDE;
            overflow |= magnitude + LEAST_NORMAL;
            greatest = Math.max(greatest, magnitude);
            // Zeros are in no bin: less 1, they are the greatest of all.
            least = Math.min(least, magnitude - 1 & MAGNITUDE);
        }
        hasSpecials = overflow < 0;
        leastMagnitude = least + 1;
        greatestMagnitude = greatest;
    }

    private static int copyValid(NumberView column, int[] rowGroups, int[] groups, long into) {
        long data = column.dataAddress();
        long validity = column.validityAddress();
        int next = 0;
        for (int row = 0; row < column.rows(); row++) {
            MemoryUtil.putLong(into + 8L * next, MemoryUtil.getLong(data + 8L * row));
            groups[next] = rowGroups[row];
            next += MemoryUtil.getByte(validity + (row >> 3)) >> (row & 7) & 1;
        }
        return next;
    }

    private void copyCanonical(long from) {
        long least = MAGNITUDE;
        long greatest = 0;
        for (int i = 0; i < size; i++) {
            long bits = MemoryUtil.getLong(from + 8L * i);
            long magnitude = bits & MAGNITUDE;
            if (magnitude < INFINITY) {
                greatest = Math.max(greatest, magnitude);
                least = Math.min(least, magnitude - 1 & MAGNITUDE);
            }
            MemoryUtil.putLong(address + 8L * i, magnitude > INFINITY ? NAN : bits);
        }
        leastMagnitude = least + 1;
        greatestMagnitude = greatest;
    }
}
