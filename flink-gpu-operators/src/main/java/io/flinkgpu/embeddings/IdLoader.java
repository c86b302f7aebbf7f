package io.flinkgpu.embeddings;

import org.apache.flink.annotation.Internal;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.util.MemoryUtil;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongUnaryOperator;

/**
 * Puts the ids of a base file into an index, a block of them after another: threads read and hash parts of the block, and
 * sort them by ranges of the slots, then they add those of a range each. The few that find no room up to the end of their
 * range are added after that, so that the index is one that a single thread could have made.
 */
@Internal
public final class IdLoader {

    private static final int BLOCK_IDS = 1 << 18;
    private static final int PART_IDS = 1 << 14;

    /** More than there are threads, as some of them are slower. */
    private static final int RANGES_LOG = 6;

    /** Ids whose slots come from memory together. */
    private static final int IDS_AT_ONCE = 128;

    private static final long NONE = Long.MAX_VALUE;

    private final VectorFile file;
    private final IdSlots slots;
    private final LongUnaryOperator words;
    private final Workers workers;

    private final int rangesLog;

    /** What a home is shifted by to have its range. */
    private final int rangeShift;

    /** Where the ids of the block are, their homes after them, then of each part its places by ranges, ints. */
    private final long ids;

    private final long homes;
    private final long places;

    /** Of each part, where its places of a range start. */
    private final int[][] starts;

    private IdLoader(
            VectorFile file,
            IdSlots slots,
            LongUnaryOperator words,
            Workers workers,
            long block,
            int most) {
        this.file = file;
        this.slots = slots;
        this.words = words;
        this.workers = workers;
        int parts = parts(most);
        rangesLog = workers.threads() > 1 && parts > 1 ? RANGES_LOG : 0;
        rangeShift = Long.numberOfTrailingZeros(slots.slots()) - rangesLog;
        ids = block;
        homes = ids + (long) Long.BYTES * most;
        places = homes + (long) Long.BYTES * most;
        starts = new int[parts][(1 << rangesLog) + 1];
    }

    private static int parts(int count) {
        return (count + PART_IDS - 1) / PART_IDS;
    }

    /**
     * Fills an index.
     *
     * @param slots with room for all ids
     * @param words by the numbers of vectors, what the index says of their ids; any thread's
     * @throws IOException if an id is there twice, which names the first vector whose id one before it has
     */
    public static void load(
            VectorFile file,
            IdSlots slots,
            LongUnaryOperator words,
            BufferAllocator allocator,
            Workers workers)
            throws IOException {
        long vectors = file.vectors();
        int most = (int) Math.min(BLOCK_IDS, vectors);
        try (ArrowBuf block =
                allocator.buffer(Math.max(1, (2L * Long.BYTES + Integer.BYTES) * most))) {
            IdLoader loader =
                    new IdLoader(file, slots, words, workers, block.memoryAddress(), most);
            for (long first = 0; first < vectors; first += most) {
                loader.add(first, (int) Math.min(most, vectors - first));
            }
        }
        slots.added(vectors);
    }

    private void add(long first, int count) throws IOException {
        int parts = parts(count);
        workers.run(parts, part -> hash(first, part, count));
        Range[] ranges = new Range[1 << rangesLog];
        workers.run(
                ranges.length,
                i -> {
                    ranges[i] = new Range((long) (i + 1) << rangeShift);
                    ranges[i].add(first, i, parts);
                });
        long twice = NONE;
        for (Range range : ranges) {
            twice = Math.min(twice, range.twice);
            for (int at : range.left) {
                if (addAnywhere(at, first) == IdSlots.Added.TWICE) {
                    twice = Math.min(twice, first + at);
                }
            }
        }
        if (twice != NONE) {
            throw file.twice(twice);
        }
    }

    private void hash(long first, int part, int count) throws IOException {
        int from = part * PART_IDS;
        int to = Math.min(count, from + PART_IDS);
        file.readIds(first + from, to - from, ids + (long) Long.BYTES * from);
        int[] next = new int[1 << rangesLog];
        for (int at = from; at < to; at++) {
            long home = slots.home(id(at));
            MemoryUtil.putLong(homes + (long) Long.BYTES * at, home);
            next[range(home)]++;
        }
        int place = from;
        for (int range = 0; range < next.length; range++) {
            starts[part][range] = place;
            place += next[range];
            next[range] = starts[part][range];
        }
        starts[part][next.length] = place;
        for (int at = from; at < to; at++) {
            int range = range(home(at));
            MemoryUtil.putInt(places + (long) Integer.BYTES * next[range]++, at);
        }
    }

    private int range(long home) {
        return (int) (home >>> rangeShift);
    }

    private long id(int at) {
        return MemoryUtil.getLong(ids + (long) Long.BYTES * at);
    }

    private long home(int at) {
        return MemoryUtil.getLong(homes + (long) Long.BYTES * at);
    }

    /** Up to the last slot, then from the first one on. */
    private IdSlots.Added addAnywhere(int at, long first) {
        long word = words.applyAsLong(first + at);
        IdSlots.Added added = slots.add(home(at), slots.slots(), id(at), word);
        return added == IdSlots.Added.NO_ROOM ? slots.add(0, slots.slots(), id(at), word) : added;
    }

    /** What is added of a block to a range of slots. */
    private final class Range {

        private final long to;
        private final int[] some = new int[IDS_AT_ONCE];
        private int count;

        /** So that what was read to have it in a cache counts as used. */
        private long fetched;

        /** Those for which there was no room. */
        final List<Integer> left = new ArrayList<>();

        /** The first vector whose id one before it has. */
        long twice = NONE;

        /**
         * @param to the slot after the last
         */
        Range(long to) {
            this.to = to;
        }

        void add(long first, int range, int parts) {
            for (int part = 0; part < parts; part++) {
                int end = starts[part][range + 1];
                for (int place = starts[part][range]; place < end; place++) {
                    int at = MemoryUtil.getInt(places + (long) Integer.BYTES * place);
                    fetched += slots.fetch(home(at));
                    some[count++] = at;
                    if (count == IDS_AT_ONCE) {
                        addSome(first);
                    }
                }
            }
            addSome(first);
        }

        private void addSome(long first) {
            for (int i = 0; i < count && twice == NONE; i++) {
                int at = some[i];
                switch (slots.add(home(at), to, id(at), words.applyAsLong(first + at))) {
                    case NEW -> {}
                    case TWICE -> twice = first + at;
                    case NO_ROOM -> left.add(at);
                }
            }
            count = 0;
        }
    }
}
