package io.flinkgpu.backend.cpu.lines;

import io.flinkgpu.api.ValueSpec;
import io.flinkgpu.backend.cpu.aggregate.GroupSums;
import io.flinkgpu.backend.cpu.aggregate.ValueColumn;
import io.flinkgpu.backend.cpu.bytes.Bytes;
import io.flinkgpu.backend.cpu.lines.group.CollectedDoubles;
import io.flinkgpu.backend.cpu.lines.group.LineTable;
import io.flinkgpu.backend.cpu.lines.group.LineValues;
import io.flinkgpu.backend.plan.AggregatePlan;
import io.flinkgpu.backend.plan.GroupedBatch;
import io.flinkgpu.backend.plan.GroupedLayout;
import io.flinkgpu.column.ColumnBatch;
import io.flinkgpu.column.TextColumns;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.util.MemoryUtil;

/** Writes the records of a {@link LineTable} as the arrays that a result has. */
final class LineResult implements AutoCloseable {

    private final BufferAllocator allocator;
    private final AggregatePlan plan;
    private final LineTable table;
    private final LineValues values;
    private final CollectedDoubles[] doubles;
    private final ValueColumn[] columns;

    LineResult(
            BufferAllocator allocator,
            AggregatePlan plan,
            LineTable table,
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
            bytes += LineTable.keyLength(table.record(group));
        }
        try (ArrowBuf offsets = allocator.buffer(Integer.BYTES * (groups + 1L));
                ArrowBuf data = allocator.buffer(Math.max(1, bytes))) {
            long start = data.memoryAddress();
            long next = start;
            MemoryUtil.putInt(offsets.memoryAddress(), 0);
            for (int group = 0; group < groups; group++) {
                long record = table.record(group);
                int length = LineTable.keyLength(record);
                Bytes.copy(table.keyAddress(record), next, length);
                next += length;
                MemoryUtil.putInt(offsets.memoryAddress() + 4L * (group + 1), (int) (next - start));
            }
            return TextColumns.of(allocator, groups, offsets, data, 0);
        }
    }

    /** The groups, the caller's to close. */
    GroupedBatch groups(long startNanos) {
        int[] firstBins = new int[columns.length];
        int[] bins = new int[columns.length];
        for (int i = 0; i < columns.length; i++) {
            if (columns[i] != null) {
                doubles[i].loadInto(columns[i]);
                firstBins[i] = columns[i].firstBin();
                bins[i] = columns[i].bins();
            } else {
                bins[i] = plan.values().get(i).needsSum() ? GroupedBatch.INTEGER_BINS : 0;
            }
        }
        GroupedLayout layout = new GroupedLayout(plan, bins);
        int groups = table.groups();
        ArrowBuf words = allocator.buffer((long) Long.BYTES * layout.arrays() * groups);
        long base = words.memoryAddress();
        writeGroups(base);
        for (int i = 0; i < columns.length; i++) {
            writeValue(i, bins[i], layout, base);
        }
        return new GroupedBatch(
                plan, groups, words, firstBins, bins, System.nanoTime() - startNanos);
    }

    private long at(long base, int array) {
        return base + Long.BYTES * ((long) array * table.groups());
    }

    private void writeGroups(long base) {
        GroupSums.fill(at(base, GroupedLayout.FIRST_ROW), table.groups(), 0);
        GroupSums.fill(at(base, GroupedLayout.KEY_ID), table.groups(), 0);
        long slices = at(base, GroupedLayout.SLICE);
        for (int group = 0; group < table.groups(); group++) {
            MemoryUtil.putLong(slices + 8L * group, LineTable.slice(table.record(group)));
        }
    }

    private void writeValue(int value, int bins, GroupedLayout layout, long base) {
        ValueSpec spec = plan.values().get(value);
        copy(values.countAt(value), at(base, layout.count(value)));
        if (spec.needsMinMax()) {
            copy(values.minAt(value), at(base, layout.min(value)));
            copy(values.maxAt(value), at(base, layout.max(value)));
        }
        if (columns[value] != null) {
            long specials = at(base, layout.specials(value));
            GroupSums.fill(specials, table.groups(), 0);
            for (int bin = 0; bin < bins; bin++) {
                GroupSums.fill(at(base, layout.bin(value, bin)), table.groups(), 0);
            }
            long firstBin = at(base, layout.bin(value, 0));
            GroupSums.sumDoubles(columns[value], specials, firstBin, table.groups());
        } else if (spec.needsSum()) {
            copy(values.lowAt(value), at(base, layout.bin(value, 0)));
            copy(values.highAt(value), at(base, layout.bin(value, 1)));
        }
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
