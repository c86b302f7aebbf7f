package io.flinkgpu.backend.cpu.aggregate;

import io.flinkgpu.api.ColumnType;
import io.flinkgpu.api.ValueSpec;
import io.flinkgpu.backend.CompiledProgram;
import io.flinkgpu.backend.Submission;
import io.flinkgpu.backend.cpu.bytes.Bytes;
import io.flinkgpu.backend.plan.AggregatePlan;
import io.flinkgpu.backend.plan.GroupedBatch;
import io.flinkgpu.column.ColumnBatch;
import io.flinkgpu.column.NumberView;
import io.flinkgpu.column.TextView;
import io.flinkgpu.words.Term;
import io.flinkgpu.words.WordLayout;

import org.apache.flink.annotation.Internal;

import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.util.MemoryUtil;

/**
 * Aggregates a batch on the calling thread: gives each row its group, then adds one column after the
 * other to arrays in the result. What it keeps between batches is linear in the rows of
 * the largest batch; the result is not, if the doubles' exponents are wide apart, and comes from the
 * allocator, which refuses it if it is too large.
 */
@Internal
public final class CpuAggregation implements CompiledProgram<GroupedBatch> {

    /** Keys are told apart by their lengths. */
    private static final byte NO_SEPARATOR = 0;

    private static final int FEW_GROUPS = 1 << 12;

    private final BufferAllocator allocator;
    private final AggregatePlan plan;
    private final BatchTable table;
    private final ValueColumn[] columns;
    private int[] groupOf = new int[0];
    private int[] firstRows = new int[0];

    public CpuAggregation(BufferAllocator allocator, AggregatePlan plan) {
        this(allocator, plan, BatchHash.random());
    }

    public CpuAggregation(BufferAllocator allocator, AggregatePlan plan, BatchHash hash) {
        this.allocator = allocator;
        this.plan = plan;
        this.table =
                plan.key() == ColumnType.INT
                        ? BatchTable.ofNumbers(allocator, hash, FEW_GROUPS)
                        : new BatchTable(
                                allocator,
                                hash,
                                (key, lengthBytes) -> true,
                                NO_SEPARATOR,
                                new long[0],
                                FEW_GROUPS);
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

    @Override
    public boolean prefersRowByRow() {
        return true;
    }

    private GroupedBatch aggregate(ColumnBatch batch) {
        long startNanos = System.nanoTime();
        boolean isDone = false;
        try {
            if (groupOf.length < batch.rows()) {
                groupOf = new int[batch.rows()];
                firstRows = new int[batch.rows()];
            }
            table.clear(batch.rows());
            group(batch);
            for (int i = 0; i < columns.length; i++) {
                NumberView numbers = batch.numbers(AggregatePlan.FIRST_VALUE_COLUMN + i);
                if (plan.values().get(i).type().isFloating()) {
                    columns[i].loadDoubles(numbers, groupOf);
                } else {
                    columns[i].load(numbers, groupOf);
                }
            }
            GroupWords words = new GroupWords(allocator, plan, table.groups(), columns);
            writeGroups(words);
            for (int i = 0; i < columns.length; i++) {
                addUp(i, words);
            }
            table.trim();
            isDone = true;
            return words.toBatch(startNanos);
        } finally {
            if (!isDone) {
                table.close();
            }
            for (ValueColumn column : columns) {
                column.close();
            }
        }
    }

    private void group(ColumnBatch batch) {
        long slices = batch.numbers(AggregatePlan.SLICE_COLUMN).dataAddress();
        if (plan.key() == ColumnType.INT) {
            long ids = batch.numbers(AggregatePlan.KEY_COLUMN).dataAddress();
            table.findAll(batch.rows(), ids, slices, groupOf, firstRows);
        } else {
            groupTexts(batch.text(AggregatePlan.KEY_COLUMN), slices);
        }
    }

    private void groupTexts(TextView keys, long slices) {
        for (int row = 0; row < keys.rows(); row++) {
            int start = keys.start(row);
            int length = keys.end(row) - start;
            long key = keys.dataAddress() + start;
            int before = table.groups();
            long record =
                    table.find(
                            Bytes.word(key, length),
                            Bytes.word(key + Long.BYTES, length - Long.BYTES),
                            key,
                            length,
                            MemoryUtil.getLong(slices + (long) Long.BYTES * row));
            groupOf[row] = BatchTable.group(record);
            if (table.groups() != before) {
                firstRows[before] = row;
            }
        }
    }

    private void writeGroups(GroupWords words) {
        long rows = words.at(GroupedBatch.FIRST_ROW);
        long keyIds = words.at(GroupedBatch.KEY_ID);
        long slices = words.at(GroupedBatch.SLICE);
        boolean byId = plan.key() == ColumnType.INT;
        int size = table.groups();
        for (int group = 0; group < size; group++) {
            long record = table.record(group);
            MemoryUtil.putLong(rows + 8L * group, firstRows[group]);
            MemoryUtil.putLong(keyIds + 8L * group, byId ? BatchTable.number(record) : 0);
            MemoryUtil.putLong(slices + 8L * group, table.slice(record));
        }
    }

    private void addUp(int value, GroupWords words) {
        ValueSpec spec = plan.values().get(value);
        ValueColumn column = columns[value];
        WordLayout layout = words.layout();
        // Just before they are added to, while a value's words are in the cache.
        for (WordLayout.Slot slot : layout.slots()) {
            if (slot.value() == value) {
                words.init(slot);
            }
        }
        GroupSums.count(column, words.at(layout.first(value, Term.COUNT)));
        if (spec.needsMinMax()) {
            GroupSums.minMax(
                    column,
                    spec.type().isFloating(),
                    words.at(layout.first(value, Term.MIN)),
                    words.at(layout.first(value, Term.MAX)));
        }
        if (spec.needsSum() && !spec.type().isFloating()) {
            GroupSums.sum(column, words.at(layout.first(value, Term.SUM)), table.groups());
            if (spec.needsSquares()) {
                GroupSums.sumSquares(
                        column, words.at(layout.first(value, Term.SQUARES)), table.groups());
            }
        } else if (spec.needsSum()) {
            words.addDoubles(value, column);
        }
    }

    @Override
    public void close() {
        table.close();
    }
}
