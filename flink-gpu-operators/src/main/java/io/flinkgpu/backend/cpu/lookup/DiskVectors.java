package io.flinkgpu.backend.cpu.lookup;

import io.flinkgpu.embeddings.EmbeddingTables;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The vectors of a window that are in files: collected, then read table by table, each once. */
final class DiskVectors implements AutoCloseable {

    /** Of the vectors of a window. */
    private static final long MAX_WINDOW_BYTES = 16 << 20;

    private final EmbeddingTables tables;
    private final BufferAllocator allocator;
    private final int window;
    private final long[][] locations;
    private final int[][] places;
    private final int[] counts;
    private final long[] hits;
    private final List<ArrowBuf> read = new ArrayList<>();

    /**
     * @param mostIds in a window
     */
    DiskVectors(EmbeddingTables tables, BufferAllocator allocator, int mostIds) {
        this.tables = tables;
        this.allocator = allocator;
        int vectorBytes = 1;
        for (int i = 0; i < tables.size(); i++) {
            vectorBytes = Math.max(vectorBytes, tables.table(i).table().vectorBytes());
        }
        window = (int) Math.max(1, Math.min(mostIds, MAX_WINDOW_BYTES / vectorBytes));
        locations = new long[tables.size()][0];
        places = new int[tables.size()][0];
        counts = new int[tables.size()];
        hits = new long[tables.size()];
    }

    /** How many ids are looked up at a time. */
    int window() {
        return window;
    }

    /**
     * Adds a vector.
     *
     * @param place of its address in the window's
     */
    void add(int table, long location, int place) {
        int count = counts[table];
        if (count == locations[table].length) {
            int room = Math.max(64, 2 * count);
            locations[table] = Arrays.copyOf(locations[table], room);
            places[table] = Arrays.copyOf(places[table], room);
        }
        locations[table][count] = location;
        places[table][count] = place;
        counts[table] = count + 1;
    }

    /**
     * Reads what was added.
     *
     * @param sources gets the addresses, which are valid until the next call or {@link #close}
     */
    void read(long[] sources) throws IOException {
        giveBack();
        for (int table = 0; table < counts.length; table++) {
            if (counts[table] > 0) {
                read(table, sources);
                hits[table] += counts[table];
                counts[table] = 0;
            }
        }
    }

    private void read(int table, long[] sources) throws IOException {
        int count = counts[table];
        long[] different = Arrays.copyOf(locations[table], count);
        Arrays.sort(different);
        int last = 0;
        for (int i = 1; i < count; i++) {
            if (different[i] != different[last]) {
                different[++last] = different[i];
            }
        }
        int vectorBytes = tables.table(table).table().vectorBytes();
        ArrowBuf target = allocator.buffer((last + 1L) * vectorBytes + BagLookup.LINE_BYTES);
        read.add(target);
        tables.read(table, different, last + 1, target);
        for (int i = 0; i < count; i++) {
            long number = Arrays.binarySearch(different, 0, last + 1, locations[table][i]);
            sources[places[table][i]] = target.memoryAddress() + number * vectorBytes;
        }
    }

    /** How many ids of a table were found in files since the last call. */
    long takeHits(int table) {
        long taken = hits[table];
        hits[table] = 0;
        return taken;
    }

    /** Gives back what was read; drops what was added and not read. */
    @Override
    public void close() {
        giveBack();
        Arrays.fill(counts, 0);
    }

    private void giveBack() {
        read.forEach(ArrowBuf::close);
        read.clear();
    }
}
