package io.flinkgpu.backend.cpu.aggregate;

import io.flinkgpu.api.ColumnType;
import io.flinkgpu.api.ValueSpec;
import io.flinkgpu.backend.CompiledProgram;
import io.flinkgpu.backend.Submission;
import io.flinkgpu.backend.plan.AggregatePlan;
import io.flinkgpu.backend.plan.GroupedBatch;
import io.flinkgpu.backend.plan.GroupedLayout;
import io.flinkgpu.column.ColumnBatch;
import io.flinkgpu.column.NumberView;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.util.MemoryUtil;

import java.security.SecureRandom;

/**
 * Aggregates a batch on the calling thread: gives each row its group, then adds one column after the
 * other to arrays in the result. What it keeps between batches is on the heap and linear in the rows of
 * the largest batch; the result is not, if the doubles' exponents are wide apart, and comes from the
 * allocator, which refuses it if it is too large.
 */
public final class CpuAggregation implements CompiledProgram<GroupedBatch> {

    private final BufferAllocator allocator;
    private final AggregatePlan plan;
    private final IdGroups ids;
    private final ByteGroups keys;
    private final GroupTable groups;
    private final ValueColumn[] columns;
    private int[] groupOf = new int[0];

    public CpuAggregation(BufferAllocator allocator, AggregatePlan plan) {
        this(allocator, plan, SipHash.random(), new SecureRandom().nextLong() | 1);
    }

    private CpuAggregation(
            BufferAllocator allocator, AggregatePlan plan, KeyHash keyHash, long sliceFactor) {
        this(allocator, plan, new IdGroups(sliceFactor), new ByteGroups(keyHash, sliceFactor));
    }

    public CpuAggregation(
            BufferAllocator allocator, AggregatePlan plan, IdGroups ids, ByteGroups keys) {
        this.allocator = allocator;
        this.plan = plan;
        this.ids = ids;
        this.keys = keys;
        this.groups = plan.key() == ColumnType.INT ? ids : keys;
        this.columns = new ValueColumn[plan.values().size()];
        for (int i = 0; i < columns.length; i++) {
            columns[i] = new ValueColumn(allocator);
        }
    }

    /** The work is done in {@link Submission#await()}: there is no other thread to start it on. */
    @Override
    public Submission<GroupedBatch> submit(ColumnBatch batch) {
        return () -> aggregate(batch);
    }

    private GroupedBatch aggregate(ColumnBatch batch) {
        long startNanos = System.nanoTime();
        try {
            if (groupOf.length < batch.rows()) {
                groupOf = new int[batch.rows()];
            }
            group(batch);
            int[] firstBins = new int[columns.length];
            int[] bins = new int[columns.length];
            for (int i = 0; i < columns.length; i++) {
                load(i, batch, firstBins, bins);
            }
            ArrowBuf words = sum(new GroupedLayout(plan, bins), bins);
            return new GroupedBatch(
                    plan, groups.groups(), words, firstBins, bins, System.nanoTime() - startNanos);
        } finally {
            for (ValueColumn column : columns) {
                column.close();
            }
        }
    }

    private void load(int value, ColumnBatch batch, int[] firstBins, int[] bins) {
        ValueSpec spec = plan.values().get(value);
        ValueColumn column = columns[value];
        NumberView numbers = batch.numbers(AggregatePlan.FIRST_VALUE_COLUMN + value);
        if (!spec.type().isFloating()) {
            column.load(numbers, groupOf);
            bins[value] = spec.needsSum() ? GroupedBatch.INTEGER_BINS : 0;
        } else {
            column.loadDoubles(numbers, groupOf);
            firstBins[value] = spec.needsSum() ? column.firstBin() : 0;
            bins[value] = spec.needsSum() ? column.bins() : 0;
        }
    }

    private ArrowBuf sum(GroupedLayout layout, int[] bins) {
        int size = groups.groups();
        ArrowBuf words = allocator.buffer((long) Long.BYTES * layout.arrays() * size);
        GroupArrays arrays = new GroupArrays(layout, words.memoryAddress(), size);
        arrays.writeGroups();
        for (int i = 0; i < columns.length; i++) {
            arrays.writeValue(i, bins[i]);
        }
        return words;
    }

    private void group(ColumnBatch batch) {
        long slices = batch.numbers(AggregatePlan.SLICE_COLUMN).dataAddress();
        if (plan.key() == ColumnType.INT) {
            long idAddress = batch.numbers(AggregatePlan.KEY_COLUMN).dataAddress();
            ids.group(batch.rows(), idAddress, slices, groupOf);
        } else {
            keys.group(batch.text(AggregatePlan.KEY_COLUMN), slices, groupOf);
        }
    }

    @Override
    public void close() {}

    /** The arrays of one batch's result. */
    private final class GroupArrays {

        private final GroupedLayout layout;
        private final long base;
        private final int size;

        GroupArrays(GroupedLayout layout, long base, int size) {
            this.layout = layout;
            this.base = base;
            this.size = size;
        }

        private long at(int array) {
            return base + Long.BYTES * ((long) array * size);
        }

        private long filled(int array, long word) {
            long address = at(array);
            GroupSums.fill(address, size, word);
            return address;
        }

        void writeGroups() {
            long firstRows = at(GroupedLayout.FIRST_ROW);
            long keyIds = at(GroupedLayout.KEY_ID);
            long slices = at(GroupedLayout.SLICE);
            boolean byId = plan.key() == ColumnType.INT;
            for (int group = 0; group < size; group++) {
                MemoryUtil.putLong(firstRows + 8L * group, groups.firstRow(group));
                MemoryUtil.putLong(keyIds + 8L * group, byId ? ids.id(group) : 0);
                MemoryUtil.putLong(slices + 8L * group, groups.slice(group));
            }
        }

        void writeValue(int value, int bins) {
            ValueSpec spec = plan.values().get(value);
            ValueColumn column = columns[value];
            GroupSums.count(column, filled(layout.count(value), 0));
            if (spec.needsMinMax()) {
                GroupSums.minMax(
                        column,
                        spec.type().isFloating(),
                        filled(layout.min(value), Long.MAX_VALUE),
                        filled(layout.max(value), Long.MIN_VALUE));
            }
            for (int bin = 0; bin < bins; bin++) {
                filled(layout.bin(value, bin), 0);
            }
            if (spec.needsSum() && !spec.type().isFloating()) {
                GroupSums.sum(column, at(layout.bin(value, 0)), size);
            } else if (spec.needsSum()) {
                long specials = filled(layout.specials(value), 0);
                GroupSums.sumDoubles(column, specials, at(layout.bin(value, 0)), size);
            }
        }
    }
}
