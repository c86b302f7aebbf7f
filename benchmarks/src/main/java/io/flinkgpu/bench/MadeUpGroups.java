package io.flinkgpu.bench;

import io.flinkgpu.backend.plan.GroupedBatch;
import io.flinkgpu.backend.plan.LineGroups;
import io.flinkgpu.backend.plan.LinePlan;
import io.flinkgpu.column.TextColumns;
import io.flinkgpu.words.Term;
import io.flinkgpu.words.WordLayout;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;

import java.nio.charset.StandardCharsets;

/**
 * Groups of a text and of one decimal, as a device gives them out: all the words of one kind, then those of
 * the next. They may be taken several times.
 */
public final class MadeUpGroups implements AutoCloseable {

    /** Of each group. */
    public static final long LINES = 10;

    private static final int[] BINS = {WordLayout.INTEGER_BINS};
    private static final int LETTERS = 26;
    private static final int MOST_KEY_BYTES = 11;

    private final BufferAllocator allocator;
    private final LinePlan plan;
    private final int count;
    private final ArrowBuf words;
    private final ArrowBuf offsets;
    private final ArrowBuf keys;

    /**
     * @param first the number of the first group
     * @param count how many there are
     */
    public MadeUpGroups(BufferAllocator allocator, LinePlan plan, int first, int count) {
        this.allocator = allocator;
        this.plan = plan;
        this.count = count;
        WordLayout layout = GroupedBatch.layout(plan.aggregates(), BINS);
        words = allocator.buffer((long) Long.BYTES * layout.words() * count);
        words.setZero(0, words.capacity());
        for (int group = 0; group < count; group++) {
            set(layout.first(0, Term.COUNT), group, LINES);
            set(layout.first(0, Term.MIN), group, -999 + (first + group) % 900);
            set(layout.first(0, Term.MAX), group, 999 - (first + group) % 900);
            set(layout.first(0, Term.SUM), group, (first + group) % 997);
        }
        offsets = allocator.buffer((long) Integer.BYTES * (count + 1));
        keys = allocator.buffer((long) MOST_KEY_BYTES * count);
        int at = 0;
        for (int group = 0; group < count; group++) {
            offsets.setInt((long) Integer.BYTES * group, at);
            byte[] key = key(first + group).getBytes(StandardCharsets.US_ASCII);
            keys.setBytes(at, key);
            at += key.length;
        }
        offsets.setInt((long) Integer.BYTES * count, at);
        offsets.writerIndex((long) Integer.BYTES * (count + 1));
        keys.writerIndex(at);
    }

    /** The groups as the result of no lines, the caller's to close before this is. */
    public LineGroups take() {
        words.getReferenceManager().retain();
        return groups(allocator, plan, count, words, offsets, keys, 0);
    }

    /** The result of some lines whose groups are not given out with them. */
    static LineGroups none(BufferAllocator allocator, LinePlan plan, long lines) {
        try (ArrowBuf offsets = allocator.buffer(Integer.BYTES);
                ArrowBuf keys = allocator.buffer(1)) {
            offsets.setInt(0, 0);
            offsets.writerIndex(Integer.BYTES);
            return groups(allocator, plan, 0, allocator.buffer(1), offsets, keys, lines);
        }
    }

    private static LineGroups groups(
            BufferAllocator allocator,
            LinePlan plan,
            int count,
            ArrowBuf words,
            ArrowBuf offsets,
            ArrowBuf keys,
            long lines) {
        return new LineGroups(
                new GroupedBatch(plan.aggregates(), count, words, new int[1], BINS, 0),
                TextColumns.of(allocator, count, offsets, keys, 0),
                allocator.buffer(1),
                0,
                lines,
                Long.MIN_VALUE);
    }

    private void set(int array, int group, long word) {
        words.setLong(Long.BYTES * ((long) array * count + group), word);
    }

    /** Five to eleven letters, not in the order of the numbers. */
    private static String key(int number) {
        StringBuilder key = new StringBuilder();
        long rest = (number + 1) * 7_368_787L % 11_881_376L;
        for (int i = 0; i < 5; i++) {
            key.append((char) ('a' + rest % LETTERS));
            rest /= LETTERS;
        }
        long more = number * 0x9e3779b97f4a7c15L >>> 32;
        for (long i = more % 7; i > 0; i--) {
            key.append((char) ('a' + (more >>> i) % LETTERS));
        }
        return key.toString();
    }

    @Override
    public void close() {
        words.close();
        offsets.close();
        keys.close();
    }
}
