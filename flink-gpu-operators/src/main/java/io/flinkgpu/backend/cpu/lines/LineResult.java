package io.flinkgpu.backend.cpu.lines;

import io.flinkgpu.backend.cpu.aggregate.BatchTable;
import io.flinkgpu.backend.cpu.aggregate.GroupWords;
import io.flinkgpu.backend.cpu.aggregate.ValueColumn;
import io.flinkgpu.backend.cpu.bytes.Bytes;
import io.flinkgpu.backend.cpu.lines.group.CollectedDoubles;
import io.flinkgpu.backend.cpu.lines.group.LineValues;
import io.flinkgpu.backend.plan.AggregatePlan;
import io.flinkgpu.backend.plan.GroupedBatch;
import io.flinkgpu.column.ColumnBatch;
import io.flinkgpu.column.TextColumns;
import io.flinkgpu.words.WordLayout;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.util.MemoryUtil;

/** Writes the records of a {@link BatchTable} as the arrays that a result has. */
final class LineResult implements AutoCloseable {

    private final BufferAllocator allocator;
    private final AggregatePlan plan;
    private final BatchTable table;
    private final LineValues values;
    private final CollectedDoubles[] doubles;
    private final ValueColumn[] columns;

    LineResult(
            BufferAllocator allocator,
            AggregatePlan plan,
            BatchTable table,
            LineValues values,
            CollectedDoubles[] doubles) {
        this.allocator = allocator;
        this.plan = plan;
        this.table = table;
        this.values = values;
        this.doubles = doubles;
        this.columns = new ValueColumn[doubles.length];
        for (int i = 0; i < columns.length; i++) {
            columns[i] = doubles[i] == null ? null : new ValueColumn(allocator);
        }
    }

    /** The groups' keys, the caller's to close. */
    ColumnBatch keys() {
        int groups = table.groups();
        long bytes = 0;
        for (int group = 0; group < groups; group++) {
            bytes += BatchTable.keyLength(table.record(group));
        }
        try (ArrowBuf offsets = allocator.buffer(Integer.BYTES * (groups + 1L));
                ArrowBuf data = allocator.buffer(Math.max(1, bytes))) {
            long start = data.memoryAddress();
            long next = start;
            MemoryUtil.putInt(offsets.memoryAddress(), 0);
            for (int group = 0; group < groups; group++) {
                long record = table.record(group);
                int length = BatchTable.keyLength(record);
                Bytes.copy(table.keyAddress(record), next, length);
                next += length;
                MemoryUtil.putInt(offsets.memoryAddress() + 4L * (group + 1), (int) (next - start));
            }
            return TextColumns.of(allocator, groups, offsets, data, 0);
        }
    }

    /** The groups, the caller's to close. */
    GroupedBatch groups(long startNanos) {
        for (int i = 0; i < columns.length; i++) {
            if (columns[i] != null) {
                doubles[i].loadInto(columns[i]);
            }
        }
        GroupWords words = new GroupWords(allocator, plan, table.groups(), columns);
        words.fill(GroupedBatch.FIRST_ROW, 0);
        words.fill(GroupedBatch.KEY_ID, 0);
        copy(BatchTable.SLICE, words.at(GroupedBatch.SLICE));
        WordLayout records = values.layout();
        for (WordLayout.Slot slot : words.layout().slots()) {
            if (records.has(slot.value(), slot.term())) {
                int first = BatchTable.VALUES + 8 * records.first(slot.value(), slot.term());
                for (int i = 0; i < slot.words(); i++) {
                    copy(first + 8 * i, words.at(slot.first() + i));
                }
            } else {
                words.init(slot);
            }
        }
        for (int i = 0; i < columns.length; i++) {
            if (columns[i] != null) {
                words.addDoubles(i, columns[i]);
            }
        }
        return words.toBatch(startNanos);
    }

    /** Copies a word of each record to an array. */
    private void copy(int offset, long array) {
        long record = table.record(0) + offset;
        for (int group = 0; group < table.groups(); group++) {
            MemoryUtil.putLong(array + 8L * group, MemoryUtil.getLong(record));
            record += table.recordBytes();
        }
    }

    /** Gives back what making a result took. */
    @Override
    public void close() {
        for (ValueColumn column : columns) {
            if (column != null) {
                column.close();
            }
        }
    }
}
