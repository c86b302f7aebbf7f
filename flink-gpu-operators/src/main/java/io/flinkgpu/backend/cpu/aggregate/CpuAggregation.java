package io.flinkgpu.backend.cpu.aggregate;

import io.flinkgpu.api.ColumnType;
import io.flinkgpu.api.ValueSpec;
import io.flinkgpu.backend.CompiledProgram;
import io.flinkgpu.backend.Submission;
import io.flinkgpu.backend.plan.AggregatePlan;
import io.flinkgpu.backend.plan.GroupedBatch;
import io.flinkgpu.column.ColumnBatch;
import io.flinkgpu.column.NumberView;
import io.flinkgpu.words.Term;
import io.flinkgpu.words.WordLayout;

import org.apache.flink.annotation.Internal;

import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.util.MemoryUtil;

import java.security.SecureRandom;

/**
 * Aggregates a batch on the calling thread: gives each row its group, then adds one column after the
 * other to arrays in the result. What it keeps between batches is on the heap and linear in the rows of
 * the largest batch; the result is not, if the doubles' exponents are wide apart, and comes from the
 * allocator, which refuses it if it is too large.
 *
 * <p>Not made of a {@link io.flinkgpu.groups.GroupTable}, whose rows are of other lengths from page to
 * page and become arrays again: of 100,000 rows with a double one took 57 to 61 ns of 400 keys, which take
 * 10 to 12 here, and 580 to 660 of 50,000, which take 17 to 40.
 */
@Internal
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

    @Override
    public boolean prefersRowByRow() {
        return true;
    }

    private GroupedBatch aggregate(ColumnBatch batch) {
        long startNanos = System.nanoTime();
        try {
            if (groupOf.length < batch.rows()) {
                groupOf = new int[batch.rows()];
            }
            group(batch);
            for (int i = 0; i < columns.length; i++) {
                NumberView numbers = batch.numbers(AggregatePlan.FIRST_VALUE_COLUMN + i);
                if (plan.values().get(i).type().isFloating()) {
                    columns[i].loadDoubles(numbers, groupOf);
                } else {
                    columns[i].load(numbers, groupOf);
                }
            }
            GroupWords words = new GroupWords(allocator, plan, groups.groups(), columns);
            writeGroups(words);
            for (int i = 0; i < columns.length; i++) {
                addUp(i, words);
            }
            return words.toBatch(startNanos);
        } finally {
            for (ValueColumn column : columns) {
                column.close();
            }
        }
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

    private void writeGroups(GroupWords words) {
        long firstRows = words.at(GroupedBatch.FIRST_ROW);
        long keyIds = words.at(GroupedBatch.KEY_ID);
        long slices = words.at(GroupedBatch.SLICE);
        boolean byId = plan.key() == ColumnType.INT;
        int size = groups.groups();
        for (int group = 0; group < size; group++) {
            MemoryUtil.putLong(firstRows + 8L * group, groups.firstRow(group));
            MemoryUtil.putLong(keyIds + 8L * group, byId ? ids.id(group) : 0);
            MemoryUtil.putLong(slices + 8L * group, groups.slice(group));
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
            GroupSums.sum(column, words.at(layout.first(value, Term.SUM)), groups.groups());
            if (spec.needsSquares()) {
                GroupSums.sumSquares(
                        column, words.at(layout.first(value, Term.SQUARES)), groups.groups());
            }
        } else if (spec.needsSum()) {
            words.addDoubles(value, column);
        }
    }

    @Override
    public void close() {}
}
