package io.flinkgpu.sql.aggregate;

import io.flinkgpu.groups.GroupCursor;
import io.flinkgpu.groups.GroupTable;
import io.flinkgpu.groups.GroupTables;
import io.flinkgpu.groups.KeyBatch;
import io.flinkgpu.groups.KeyBytes;

import org.apache.flink.core.memory.MemorySegment;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.binary.BinaryRowData;
import org.apache.flink.types.RowKind;
import org.apache.flink.util.Collector;

import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.OutOfMemoryException;
import org.apache.arrow.memory.RootAllocator;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Groups of rows by key and slice until they are sent on. Rows wait for each other, so that the processor waits
 * for the memory of many keys at once. If memory runs out, all groups are sent. Groups are sent in the order
 * in which their first rows came. Task thread only.
 */
final class LocalGroups implements AutoCloseable {

    private static final VarHandle LONGS =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    /** Above the bits of a binary row's first word that 40 fields need: the number of the slice. */
    private static final int SLICE_SHIFT = Byte.SIZE + LocalAggregation.MAX_KEYS;

    private static final long NOT_SLICE = (1L << SLICE_SHIFT) - 1;

    private final BufferAllocator allocator;
    private final GroupTable table;
    private final ColumnReader reader;
    private final Collector<RowData> output;
    private final GroupRow groupRow;
    private final SliceNumbers slices = new SliceNumbers();

    private final KeyBatch waiting = new KeyBatch();
    private final long[] words;
    private final long[] present = new long[KeyBatch.MAX_KEYS];
    private final KeyBytes sent = new KeyBytes();

    /**
     * @param maxBytes what the groups may take
     * @param output is given rows that are valid until it returns
     */
    LocalGroups(LocalAggregation aggregation, long maxBytes, Collector<RowData> output) {
        this.output = output;
        reader = new ColumnReader(aggregation.columns());
        words = new long[KeyBatch.MAX_KEYS * reader.size()];
        groupRow = new GroupRow(aggregation);
        allocator = new RootAllocator(maxBytes);
        table = new GroupTables(allocator, aggregation.specs()).newTable();
    }

    /** How many groups there are, without those of rows that wait. */
    int size() {
        return table.size();
    }

    /**
     * Adds a row.
     *
     * @param key a binary row
     * @throws IllegalStateException if the row takes another one back
     */
    void add(RowData key, long slice, RowData row) {
        RowKind kind = row.getRowKind();
        if (kind != RowKind.INSERT && kind != RowKind.UPDATE_AFTER) {
            throw new IllegalStateException("a row takes another one back: kind=" + kind);
        }
        if (slices.isFull()) {
            sendAll();
        }
        int number = slices.of(slice);
        int index = waiting.size();
        addKey((BinaryRowData) key, number);
        present[index] = reader.read(row, words, index * reader.size());
        if (index + 1 == KeyBatch.MAX_KEYS) {
            addWaiting();
        }
    }

    private void addKey(BinaryRowData key, int slice) {
        MemorySegment from = key.getSegments()[0];
        int offset = key.getOffset();
        int length = key.getSizeInBytes();
        int at = waiting.add(length);
        byte[] to = waiting.array();
        LONGS.set(to, at, from.getLongLittleEndian(offset) | (long) slice << SLICE_SHIFT);
        if (length == 2 * Long.BYTES) {
            LONGS.set(to, at + Long.BYTES, from.getLongLittleEndian(offset + Long.BYTES));
        } else {
            from.get(offset + Long.BYTES, to, at + Long.BYTES, length - Long.BYTES);
        }
    }

    private void addWaiting() {
        waiting.touch(table);
        for (int i = 0; i < waiting.size(); i++) {
            addWaiting(i);
        }
        waiting.clear();
    }

    private void addWaiting(int row) {
        long left = present[row];
        for (boolean emptied = false; ; emptied = true) {
            try {
                int group = waiting.group(table, row, 0);
                for (; left != 0; left &= left - 1) {
                    int column = Long.numberOfTrailingZeros(left);
                    table.add(group, column, words[row * reader.size() + column]);
                }
                return;
            } catch (OutOfMemoryException e) {
                if (emptied) {
                    throw new IllegalStateException(
                            "no memory for one group: bytes=%d; raise taskmanager.memory.managed.size"
                                    .formatted(allocator.getLimit()),
                            e);
                }
                // The values that were added go with the groups that are sent.
                sendGroups();
            }
        }
    }

    /** Sends and forgets all groups. */
    void sendAll() {
        addWaiting();
        sendGroups();
        slices.clear();
    }

    private void sendGroups() {
        GroupCursor groups = table.cursor();
        while (groups.next()) {
            groups.key(sent);
            byte[] key = sent.array();
            long word = (long) LONGS.get(key, 0);
            LONGS.set(key, 0, word & NOT_SLICE);
            long slice = slices.end((int) (word >>> SLICE_SHIFT));
            output.collect(groupRow.of(key, sent.length(), groups, slice));
        }
        table.clear();
    }

    /** Sends nothing; gives all memory back. */
    @Override
    public void close() {
        table.close();
        allocator.close();
    }
}
