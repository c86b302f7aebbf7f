package io.flinkgpu.backend.cpu.lookup;

import io.flinkgpu.column.ColumnBatch;
import io.flinkgpu.embeddings.EmbeddingTables;
import io.flinkgpu.embeddings.IdIndex;
import io.flinkgpu.embeddings.Location;
import io.flinkgpu.embeddings.StoredTable;
import io.flinkgpu.embeddings.TableGauge;

import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.util.MemoryUtil;

import java.io.IOException;

/**
 * Looks the bags of batches up, a window of ids at a time: all slots of the index are touched before the first is
 * read, then all vectors, so that a core waits for many lines of memory at once. Vectors that are in files are read
 * before that, each once in a window.
 */
final class BagLookup {

    /** So many vectors of 128 bytes stay in a core's first cache. */
    private static final int BLOCK = 128;

    /** So many reads of a file are worth sorting. */
    private static final int DISK_WINDOW = 1 << 14;

    /** Of a cache; as much can be read after any vector. */
    static final int LINE_BYTES = 64;

    private final EmbeddingTables tables;
    private final StoredTable[] stored;
    private final IdIndex[] indexes;
    private final BufferAllocator resultAllocator;
    private final DiskVectors disk;
    private final Bags bags = new Bags();
    private final BagCombiner combiner;
    private final long[] slots = new long[DISK_WINDOW];

    /** Of each id of a window the address of its vector; 0 if it is missing. */
    private final long[] sources = new long[DISK_WINDOW];

    private final long[] lookups;
    private final long[] found;
    private final long[] unique;
    private int batchNumber;

    /** Nothing reads it; it keeps loads from being left out. */
    private long touched;

    /**
     * @param allocator of what is read from files
     * @param resultAllocator of results
     */
    BagLookup(EmbeddingTables tables, BufferAllocator allocator, BufferAllocator resultAllocator) {
        this.tables = tables;
        this.resultAllocator = resultAllocator;
        stored = new StoredTable[tables.size()];
        indexes = new IdIndex[tables.size()];
        for (int i = 0; i < stored.length; i++) {
            stored[i] = tables.table(i);
            indexes[i] = stored[i].index();
        }
        disk = new DiskVectors(tables, allocator, DISK_WINDOW);
        combiner = new BagCombiner(tables);
        lookups = new long[stored.length];
        found = new long[stored.length];
        unique = new long[stored.length];
    }

    /** The values of all bags, and where those of each end. */
    ColumnBatch find(ColumnBatch batch) throws IOException {
        bags.fill(batch);
        forgetCounts();
        batchNumber = batchNumber % (Location.BATCHES - 1) + 1;
        int window = tables.isInMemory() ? BLOCK : disk.window();
        try (LookupResult result = new LookupResult(resultAllocator, bags, combiner.room(bags))) {
            combiner.start(bags, result);
            int bag = 0;
            for (int from = 0; from < bags.ids; from += window) {
                int to = Math.min(bags.ids, from + window);
                bag = locate(from, to, bag);
                disk.read(sources);
                for (int block = from; block < to; block += BLOCK) {
                    int blockEnd = Math.min(to, block + BLOCK);
                    touchVectors(block - from, blockEnd - from);
                    combiner.add(block, blockEnd, sources, block - from);
                }
            }
            combiner.end();
            ColumnBatch columns = result.build();
            count();
            return columns;
        } finally {
            disk.close();
        }
    }

    /** Finds where the vectors of a window are; the bag of its last id. */
    private int locate(int from, int to, int firstBag) {
        for (int block = from; block < to; block += BLOCK) {
            touchSlots(block, Math.min(to, block + BLOCK), from, firstBag);
        }
        int bag = firstBag;
        for (int i = from; i < to; i++) {
            while (i >= bags.idEnd[bag]) {
                bag++;
            }
            int table = bags.table(bag);
            long slot = indexes[table].at(slots[i - from], bags.id(i));
            long word = IdIndex.word(slot);
            sources[i - from] = word == 0 ? 0 : source(table, slot, word, i - from);
            lookups[table]++;
        }
        return bag;
    }

    private void touchSlots(int from, int to, int windowStart, int firstBag) {
        long sum = 0;
        int bag = firstBag;
        for (int i = from; i < to; i++) {
            while (i >= bags.idEnd[bag]) {
                bag++;
            }
            long slot = indexes[bags.table(bag)].start(bags.id(i));
            slots[i - windowStart] = slot;
            sum += MemoryUtil.getLong(slot);
        }
        touched += sum;
    }

    /** The address of a vector that there is; one that is not in memory is read later. */
    private long source(int table, long slot, long word, int inWindow) {
        found[table]++;
        long location = Location.of(word);
        if (Location.batch(word) != batchNumber) {
            unique[table]++;
            IdIndex.setWord(slot, Location.word(location, batchNumber));
        }
        if (Location.tier(location) == Location.MEMORY) {
            return stored[table].address(Location.place(location));
        }
        disk.add(table, location, inWindow);
        return 0;
    }

    private void touchVectors(int from, int to) {
        long sum = 0;
        for (int i = from; i < to; i++) {
            long source = sources[i];
            if (source != 0) {
                sum += MemoryUtil.getByte(source) + MemoryUtil.getByte(source + LINE_BYTES);
            }
        }
        touched += sum;
    }

    /** What a batch counted that there was no memory for; it comes again, in parts. */
    private void forgetCounts() {
        for (int table = 0; table < stored.length; table++) {
            lookups[table] = 0;
            found[table] = 0;
            unique[table] = 0;
            disk.takeHits(table);
            combiner.takeNanWeights(table);
        }
    }

    private void count() {
        for (int table = 0; table < stored.length; table++) {
            if (lookups[table] > 0) {
                long onDisk = disk.takeHits(table);
                add(table, TableGauge.LOOKUPS, lookups[table]);
                add(table, TableGauge.UNIQUE, unique[table]);
                add(table, TableGauge.MISSING, lookups[table] - found[table]);
                add(table, TableGauge.HOST_HITS, found[table] - onDisk);
                add(table, TableGauge.DISK_HITS, onDisk);
                add(table, TableGauge.NAN_WEIGHTS, combiner.takeNanWeights(table));
            }
        }
    }

    private void add(int table, TableGauge gauge, long count) {
        tables.gauges().add(table, gauge, count);
    }
}
