package io.flinkgpu.sql.aggregate;

import io.flinkgpu.api.ValueSpec;
import io.flinkgpu.column.RowValues;
import io.flinkgpu.groups.GroupSource;
import io.flinkgpu.groups.GroupTable;
import io.flinkgpu.groups.GroupTables;
import io.flinkgpu.groups.KeyBatch;
import io.flinkgpu.groups.KeyBytes;

import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.binary.BinaryRowData;
import org.apache.flink.types.RowKind;
import org.apache.flink.util.ExceptionUtils;
import org.apache.flink.util.IOUtils;

import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.OutOfMemoryException;

import java.util.List;

/**
 * Groups of rows by key and slice until they are sent on. Rows wait for each other, so that the processor waits
 * for the memory of many keys at once. If memory runs out, all groups are sent. Groups are sent in the order
 * in which their first rows came. Task thread only.
 */
final class LocalGroups implements AutoCloseable {

    private final BufferAllocator allocator;
    private final String remedy;
    private final GroupTable table;
    private final ColumnReader reader;
    private final GroupOutput output;
    private final SliceNumbers slices = new SliceNumbers();
    private final SentGroups sent;
    private final KeyBytes merged = new KeyBytes();

    private final KeyBatch waiting = new KeyBatch();
    private final long[] words;
    private final long[] present = new long[KeyBatch.MAX_KEYS];

    /**
     * @param allocator of what the groups may take; is closed with this
     * @param remedy what to do if that is too little for one group
     * @param output is closed with this
     */
    LocalGroups(
            LocalAggregation aggregation,
            BufferAllocator allocator,
            String remedy,
            GroupOutput output) {
        this(aggregation, aggregation.specs(), allocator, remedy, output);
    }

    /**
     * @param specs of the columns: the types that the groups have which are merged
     */
    LocalGroups(
            LocalAggregation aggregation,
            List<ValueSpec> specs,
            BufferAllocator allocator,
            String remedy,
            GroupOutput output) {
        this.allocator = allocator;
        this.remedy = remedy;
        this.output = output;
        reader = new ColumnReader(aggregation.columns());
        words = new long[KeyBatch.MAX_KEYS * reader.size()];
        table = new GroupTables(allocator, specs).newTable();
        sent = new SentGroups(table, slices);
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
    void add(RowData key, long slice, RowData row) throws Exception {
        RowKind kind = row.getRowKind();
        if (kind != RowKind.INSERT && kind != RowKind.UPDATE_AFTER) {
            throw new IllegalStateException("a row takes another one back: kind=" + kind);
        }
        int index = await((BinaryRowData) key, slice);
        present[index] = reader.read(row, words, index * reader.size());
        addIfFull();
    }

    /**
     * Adds a row by the values of its columns.
     *
     * @param key a binary row
     */
    void add(BinaryRowData key, long slice, RowValues values) throws Exception {
        int index = await(key, slice);
        long there = 0;
        for (int i = 0; i < reader.size(); i++) {
            if (!values.isNull(i)) {
                words[index * reader.size() + i] = values.word(i);
                there |= 1L << i;
            }
        }
        present[index] = there;
        addIfFull();
    }

    /** The place of a row that waits. */
    private int await(BinaryRowData key, long slice) throws Exception {
        int number = number(slice);
        int index = waiting.size();
        int length = key.getSizeInBytes();
        int at = waiting.add(length);
        SlicedKey.write(key, length, number, waiting.array(), at);
        return index;
    }

    private int number(long slice) throws Exception {
        if (slices.isFull()) {
            sendAll();
        }
        return slices.of(slice);
    }

    private void addIfFull() throws Exception {
        if (waiting.size() == KeyBatch.MAX_KEYS) {
            addWaiting();
        }
    }

    /**
     * Adds a group of rows.
     *
     * @param key a binary row
     */
    void merge(BinaryRowData key, long slice, GroupSource group) throws Exception {
        int number = number(slice);
        int length = key.getSizeInBytes();
        merged.setLength(length);
        SlicedKey.write(key, length, number, merged.array(), 0);
        for (boolean emptied = false; ; emptied = true) {
            try {
                table.merge(table.group(merged.array(), 0, length, 0), group);
                return;
            } catch (OutOfMemoryException e) {
                makeRoom(emptied, e);
            }
        }
    }

    private void makeRoom(boolean emptied, OutOfMemoryException cause) throws Exception {
        if (emptied) {
            throw new IllegalStateException(
                    "no memory for one group: bytes=%d; %s".formatted(allocator.getLimit(), remedy),
                    cause);
        }
        // The values that were added go with the groups that are sent.
        sendGroups();
    }

    private void addWaiting() throws Exception {
        waiting.touch(table);
        for (int i = 0; i < waiting.size(); i++) {
            addWaiting(i);
        }
        waiting.clear();
    }

    private void addWaiting(int row) throws Exception {
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
                makeRoom(emptied, e);
            }
        }
    }

    /** Sends and forgets all groups. */
    void sendAll() throws Exception {
        addWaiting();
        sendGroups();
        slices.clear();
    }

    private void sendGroups() throws Exception {
        output.send(sent.first());
        table.clear();
    }

    /** Sends nothing; gives all memory back. */
    @Override
    public void close() {
        try {
            IOUtils.closeAll(table, allocator, output);
        } catch (Exception e) {
            ExceptionUtils.rethrow(e);
        }
    }
}
