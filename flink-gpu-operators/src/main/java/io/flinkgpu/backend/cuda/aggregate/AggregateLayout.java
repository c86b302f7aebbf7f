package io.flinkgpu.backend.cuda.aggregate;

import io.flinkgpu.backend.cuda.device.DeviceLayout;

import org.apache.flink.annotation.Internal;

/**
 * Where the arrays of an aggregation's batch lie in one block of device memory. What must be zero before the
 * kernels run comes first.
 *
 * <pre>
 *   | header, bins present, number | scan states | table | columns | keys | key data | slices | values | ...
 *   |----------------- zeroBytes -----------------|
 * </pre>
 */
@Internal
public final class AggregateLayout {

    public final DeviceLayout block = new DeviceLayout();

    final long scanStates;
    final long table;

    /** A power of two. */
    final long tableEntries;

    public final long zeroBytes;

    /** Descriptors of the values' columns. */
    public final long columns;

    final long keys;
    final long keyData;
    final long slices;

    /** Each value's column. */
    final long[] data;

    /** Its bitmap, if it is needed. */
    final long[] validity;

    final long rowGroups;
    final long ranks;

    public AggregateLayout(AggregateInput input) {
        int rows = input.rows();
        int values = input.values();
        block.array(headerBytes(values));
        scanStates = block.array(8L * GroupLaunch.rank(rows).blocks());
        tableEntries = tableEntries(rows);
        table = block.array(4 * tableEntries);
        zeroBytes = block.end();
        columns = block.array((long) GroupAbi.COLUMN_BYTES * values);
        keys = block.copied(input.keys(), input.keysBytes());
        keyData = block.copied(input.keyData(), input.keyDataBytes());
        slices = block.copied(input.slices(), input.wordsBytes());
        data = new long[values];
        validity = new long[values];
        for (int i = 0; i < values; i++) {
            data[i] = block.copied(input.data()[i], input.wordsBytes());
            validity[i] = block.copied(input.validity()[i], input.validityBytes(i));
        }
        rowGroups = block.array(4L * rows);
        ranks = block.array(8 * ((rows + 31L) / 32));
    }

    /** Bytes that the host reads back: the header, a word a value, and the number of the batch. */
    public static long headerBytes(int values) {
        return number(values) + Long.BYTES;
    }

    /** Where the number of the batch is, which the host puts there. */
    static long number(int values) {
        return GroupAbi.GROUP_HEADER_BYTES + 8L * values;
    }

    /** Entries of a table that is at most half full. */
    static long tableEntries(int rows) {
        return Long.highestOneBit(4L * rows - 1);
    }
}
