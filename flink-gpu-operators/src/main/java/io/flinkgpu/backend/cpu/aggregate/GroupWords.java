package io.flinkgpu.backend.cpu.aggregate;

import io.flinkgpu.backend.plan.AggregatePlan;
import io.flinkgpu.backend.plan.GroupedBatch;
import io.flinkgpu.words.Term;
import io.flinkgpu.words.WordLayout;

import org.apache.flink.annotation.Internal;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.util.MemoryUtil;

/** The words of a batch's groups while they are filled. {@link #toBatch} takes them over. */
@Internal
public final class GroupWords {

    private final AggregatePlan plan;
    private final int groups;
    private final int[] firstBins;
    private final int[] bins;
    private final WordLayout layout;
    private final ArrowBuf words;

    /**
     * Makes room for the words, whose contents are undefined.
     *
     * @param columns the values of which floating sums are made, by their places in the plan
     */
    public GroupWords(
            BufferAllocator allocator, AggregatePlan plan, int groups, ValueColumn[] columns) {
        this.plan = plan;
        this.groups = groups;
        firstBins = new int[columns.length];
        bins = new int[columns.length];
        for (int i = 0; i < columns.length; i++) {
            if (Term.SPECIALS.isKeptOf(plan.values().get(i))) {
                firstBins[i] = columns[i].firstBin();
                bins[i] = columns[i].bins();
            }
        }
        layout = GroupedBatch.layout(plan, bins);
        words = allocator.buffer((long) Long.BYTES * layout.words() * groups);
    }

    public WordLayout layout() {
        return layout;
    }

    /** The address of an array: a word for each group. */
    public long at(int array) {
        return words.memoryAddress() + Long.BYTES * ((long) array * groups);
    }

    /** Sets an array to a word. */
    public void fill(int array, long word) {
        fill(at(array), groups, word);
    }

    private static void fill(long address, int words, long word) {
        for (int i = 0; i < words; i++) {
            MemoryUtil.putLong(address + 8L * i, word);
        }
    }

    /** Sets a slot's arrays to what groups of no values have. */
    public void init(WordLayout.Slot slot) {
        for (int i = 0; i < slot.words(); i++) {
            fill(slot.first() + i, slot.term().initial());
        }
    }

    /** Adds the values of a column to the slots of its sums, which are initial. */
    public void addDoubles(int value, ValueColumn column) {
        GroupSums.sumDoubles(
                column,
                at(layout.first(value, Term.SPECIALS)),
                at(layout.first(value, Term.SUM)),
                groups);
        if (layout.has(value, Term.SQUARES)) {
            GroupSums.sumDoubleSquares(column, at(layout.first(value, Term.SQUARES)), groups);
        }
    }

    /** The result, the caller's to close. */
    public GroupedBatch toBatch(long startNanos) {
        return new GroupedBatch(
                plan, groups, words, firstBins, bins, System.nanoTime() - startNanos);
    }
}
