package io.flinkgpu.backend.cuda.lookup;

import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.cuda.device.CloseStack;
import io.flinkgpu.backend.cuda.device.LaunchConfig;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.util.MemoryUtil;

import java.util.Comparator;
import java.util.PriorityQueue;

/**
 * Chooses which vectors of a table are in its cache, between batches: those that were used most often, of equal ones
 * those with the least indexes, as far as a number of swaps and the room of lists go. No result depends on what is chosen.
 */
final class Admission implements AutoCloseable {

    private static final int HISTOGRAM_BYTES = Integer.BYTES * LookupAbi.LOOKUP_FREQUENCIES;
    private static final int COUNTS_BYTES = 2 * Integer.BYTES;
    static final int ENTRY_BYTES = 2 * Integer.BYTES;
    private static final int BUFFER_ENTRIES = 1 << 16;

    private final LookupQueue queue;
    private final LookupPace pace;
    private final LookupQueue.Room room;
    private final CloseStack resources = new CloseStack();
    private final ArrowBuf args;
    private final ArrowBuf buffer;

    /**
     * @param queue stays the caller's
     */
    Admission(LookupQueue queue, BufferAllocator allocator, LookupPace pace) {
        this.queue = queue;
        this.pace = pace;
        room = queue.newRoom();
        try {
            args = resources.push(allocator.buffer(LookupAbi.LOOKUP_RANK_ARGS_BYTES));
            buffer = resources.push(allocator.buffer((long) ENTRY_BYTES * BUFFER_ENTRIES));
        } catch (RuntimeException | Error e) {
            resources.closeAfter(e);
            throw e;
        }
    }

    /**
     * Changes what is in a table's cache, and halves its frequencies. Waits.
     *
     * @return how many vectors left the cache
     */
    int run(DeviceTable table) throws BackendException {
        VectorCache cache = table.cache();
        int vectors = table.indexes();
        int tile = LookupAbi.LOOKUP_RANK_VECTORS;
        int tiles = (vectors + tile - 1) / tile;
        long histogram = 0;
        long counts = HISTOGRAM_BYTES;
        long sums = 2L * HISTOGRAM_BYTES;
        long admitted = (sums + (long) Long.BYTES * tiles + 15) & -16;
        int entries = pace.listEntries(cache.places(), table.shape().stride());
        long evicted = admitted + (long) ENTRY_BYTES * entries;
        room.reserve(evicted + (long) ENTRY_BYTES * entries);
        long base = room.address();
        queue.zero(base, admitted);
        long to = args.memoryAddress();
        MemoryUtil.putLong(to + LookupAbi.LOOKUP_RANK_ARGS_FREQUENCIES, cache.frequenciesAddress());
        MemoryUtil.putLong(to + LookupAbi.LOOKUP_RANK_ARGS_LOCATIONS, cache.locationsAddress());
        MemoryUtil.putLong(to + LookupAbi.LOOKUP_RANK_ARGS_HISTOGRAM, base + histogram);
        MemoryUtil.putLong(to + LookupAbi.LOOKUP_RANK_ARGS_TILES, base + sums);
        MemoryUtil.putLong(to + LookupAbi.LOOKUP_RANK_ARGS_LIST_COUNTS, base + counts);
        MemoryUtil.putLong(to + LookupAbi.LOOKUP_RANK_ARGS_ADMITTED, base + admitted);
        MemoryUtil.putLong(to + LookupAbi.LOOKUP_RANK_ARGS_EVICTED, base + evicted);
        MemoryUtil.putInt(to + LookupAbi.LOOKUP_RANK_ARGS_VECTORS, vectors);
        MemoryUtil.putInt(to + LookupAbi.LOOKUP_RANK_ARGS_ROOM, entries);
        LaunchConfig shape = new LaunchConfig(tiles, LookupAbi.LOOKUP_THREADS);
        queue.launch(LookupKernel.COUNT, shape, to);
        read(base + histogram, HISTOGRAM_BYTES);
        setThreshold(to, cache.places());
        queue.launch(LookupKernel.CHOOSE, shape, to);
        read(base + counts, COUNTS_BYTES);
        // There may be more than are listed.
        int admissions = Math.min(entries, buffer.getInt(0));
        int evictions = Math.min(entries, buffer.getInt(Integer.BYTES));
        int swaps = Math.min(pace.mostSwaps(), Math.min(admissions, evictions));
        int[] in = first(base + admitted, admissions, swaps, true);
        int[] out = first(base + evicted, evictions, swaps, false);
        table.swap(out, in);
        return swaps;
    }

    /** Copies something to the start of the buffer, and waits. */
    private void read(long address, long bytes) throws BackendException {
        queue.copyToHost(buffer.memoryAddress(), address, bytes);
        queue.await();
    }

    /** Of the vectors that were never used none is wanted. */
    private void setThreshold(long to, int places) {
        int threshold = LookupAbi.LOOKUP_FREQUENCIES - 1;
        long above = 0;
        while (threshold > 0 && above + count(threshold) < places) {
            above += count(threshold);
            threshold--;
        }
        MemoryUtil.putInt(to + LookupAbi.LOOKUP_RANK_ARGS_THRESHOLD, threshold);
        MemoryUtil.putInt(
                to + LookupAbi.LOOKUP_RANK_ARGS_TIES, threshold == 0 ? 0 : (int) (places - above));
    }

    private long count(int frequency) {
        return buffer.getInt((long) Integer.BYTES * frequency);
    }

    /**
     * The indexes of the entries of a list, which has no order, that are the first by frequency, then index: those that are
     * to be in the cache come first, or last. The list of what may leave has nearly all that is there, the last indexes
     * mostly at its end, which is where they are looked for.
     */
    private int[] first(long address, int entries, int count, boolean isBestFirst)
            throws BackendException {
        PriorityQueue<Long> kept = new PriorityQueue<>(Comparator.reverseOrder());
        long last = Long.MAX_VALUE;
        int pieces = count == 0 ? 0 : (entries - 1) / BUFFER_ENTRIES + 1;
        for (int i = 0; i < pieces; i++) {
            int from = (isBestFirst ? i : pieces - 1 - i) * BUFFER_ENTRIES;
            int some = Math.min(BUFFER_ENTRIES, entries - from);
            read(address + (long) ENTRY_BYTES * from, (long) ENTRY_BYTES * some);
            for (int k = 0; k < some; k++) {
                long place = place((long) ENTRY_BYTES * k);
                place = isBestFirst ? place : -place;
                if (place < last) {
                    kept.add(place);
                    if (kept.size() > count) {
                        kept.poll();
                    }
                    last = kept.size() == count ? kept.peek() : last;
                }
            }
        }
        return kept.stream().sorted().mapToInt(place -> (int) Math.abs(place)).toArray();
    }

    /** A number that is the less the more a vector is to be in the cache, with its index in the lower half. */
    private long place(long entry) {
        long rarity = LookupAbi.LOOKUP_FREQUENCIES - buffer.getInt(entry + Integer.BYTES);
        return rarity << Integer.SIZE | buffer.getInt(entry);
    }

    @Override
    public void close() {
        resources.close();
    }
}
