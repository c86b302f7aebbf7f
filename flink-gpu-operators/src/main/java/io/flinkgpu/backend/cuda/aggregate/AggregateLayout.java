package io.flinkgpu.backend.cuda.aggregate;

import io.flinkgpu.backend.BackendException;

/**
 * Where the arrays of an aggregation's batch lie in one block of device memory: offsets from its start,
 * all but that of {@code binsPresent} multiples of 256. What must be zero before the kernels run comes
 * first.
 *
 * <pre>
 *   | header, bins present | scan states | table | columns | keys | key data | slices | values | ...
 *   |----------------- zeroBytes -----------------|
 * </pre>
 *
 * @param tableEntries a power of two
 * @param columns descriptors of the values' columns
 * @param data each value's column
 * @param validity its bitmap, if it is needed
 */
public record AggregateLayout(
        long binsPresent,
        long scanStates,
        long table,
        long tableEntries,
        long zeroBytes,
        long columns,
        long keys,
        long keyData,
        long slices,
        long[] data,
        long[] validity,
        long rowGroups,
        long ranks,
        long totalBytes) {

    private static final long ALIGNMENT_BYTES = 256;

    /** Takes a copy from host memory to an offset of the block. */
    @FunctionalInterface
    public interface Copy {
        void copy(long offset, long hostAddress, long bytes) throws BackendException;
    }

    public static AggregateLayout of(AggregateInput input) {
        int rows = input.rows();
        int values = input.values();
        long tableEntries = tableEntries(rows);
        long scanStates = align(headerBytes(values));
        long table = align(scanStates + 8L * GroupLaunch.rank(rows).blocks());
        long zeroBytes = align(table + 4 * tableEntries);
        long keys = align(zeroBytes + (long) GroupAbi.COLUMN_BYTES * values);
        long keyData = align(keys + input.keysBytes());
        long slices = align(keyData + input.keyDataBytes());
        long next = align(slices + input.wordsBytes());
        long[] data = new long[values];
        long[] validity = new long[values];
        for (int i = 0; i < values; i++) {
            data[i] = next;
            validity[i] = align(data[i] + input.wordsBytes());
            next = align(validity[i] + input.validityBytes(i));
        }
        long ranks = align(next + 4L * rows);
        long total = align(ranks + 8 * ((rows + 31L) / 32));
        return new AggregateLayout(
                GroupAbi.GROUP_HEADER_BYTES,
                scanStates,
                table,
                tableEntries,
                zeroBytes,
                zeroBytes,
                keys,
                keyData,
                slices,
                data,
                validity,
                next,
                ranks,
                total);
    }

    /** Bytes that the host reads back: the header and a word a value. */
    public static long headerBytes(int values) {
        return GroupAbi.GROUP_HEADER_BYTES + 8L * values;
    }

    /** Entries of a table that is at most half full. */
    static long tableEntries(int rows) {
        return Long.highestOneBit(4L * rows - 1);
    }

    /** Copies the batch's columns. */
    public void copyIn(AggregateInput input, Copy to) throws BackendException {
        to.copy(keys, input.keys(), input.keysBytes());
        to.copy(keyData, input.keyData(), input.keyDataBytes());
        to.copy(slices, input.slices(), input.wordsBytes());
        for (int i = 0; i < input.values(); i++) {
            to.copy(data[i], input.data()[i], input.wordsBytes());
            to.copy(validity[i], input.validity()[i], input.validityBytes(i));
        }
    }

    private static long align(long bytes) {
        return (bytes + ALIGNMENT_BYTES - 1) & -ALIGNMENT_BYTES;
    }
}
