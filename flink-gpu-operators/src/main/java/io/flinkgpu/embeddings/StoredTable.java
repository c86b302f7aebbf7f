package io.flinkgpu.embeddings;

import io.flinkgpu.api.lookup.EmbeddingTable;

import org.apache.flink.annotation.Internal;

import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.util.MemoryUtil;

import java.io.IOException;
import java.util.Arrays;

/**
 * The vectors of a table: the first ones of its base file in memory, as many as there is room for, the others
 * where they are; what changes goes where the vector is, if that is memory, else into memory while there is some,
 * else into a scratch file. Nothing here depends on the budget but where a vector is.
 */
@Internal
public final class StoredTable implements AutoCloseable {

    /** Of the pieces that memory grows by. */
    private static final int CHUNK_BYTES = 256 << 10;

    private final EmbeddingTable table;
    private final int vectorBytes;
    private final VectorMemory memory;
    private final String scratchDirectory;
    private final VectorFile file;
    private final IdIndex index;

    /** Of the vectors of the base file that are in memory. */
    private final long firstAddress;

    private final long firstPlaces;

    /** Of those after them. */
    private final int chunkShift;

    private long[] chunks = new long[4];
    private int chunkCount;
    private long places;
    private final Places inMemory;

    private ScratchFile scratch;
    private final Places inScratch = new Places(0);

    /**
     * Loads the base file, if there is one.
     *
     * @param file the table's, which stays open as long as this; null if it has none
     * @param memory where vectors go
     * @param budgetBytes how much of it the base file may take
     * @param allocator of the index
     * @param workers load it
     */
    public StoredTable(
            EmbeddingTable table,
            VectorFile file,
            VectorMemory memory,
            long budgetBytes,
            BufferAllocator allocator,
            String scratchDirectory,
            Workers workers)
            throws IOException {
        this.table = table;
        this.vectorBytes = table.vectorBytes();
        this.memory = memory;
        this.scratchDirectory = scratchDirectory;
        this.file = file;
        int perChunk = Math.max(1, CHUNK_BYTES / vectorBytes);
        this.chunkShift = Integer.SIZE - 1 - Integer.numberOfLeadingZeros(perChunk);
        long vectors = file == null ? 0 : file.vectors();
        firstPlaces = Math.min(vectors, budgetBytes / vectorBytes);
        firstAddress = firstPlaces == 0 ? 0 : memory.take(firstPlaces, vectorBytes);
        places = firstPlaces;
        inMemory = new Places(firstPlaces);
        index = new IdIndex(allocator, vectors, workers);
        if (file != null) {
            try {
                load(allocator, workers);
            } catch (IOException | RuntimeException | Error e) {
                index.close();
                throw e;
            }
        }
    }

    private void load(BufferAllocator allocator, Workers workers) throws IOException {
        LoadTimes times = new LoadTimes(file);
        file.readVectors(0, firstPlaces, firstAddress, workers);
        times.ended("vectors");
        IdLoader.load(
                file,
                index,
                number -> {
                    long tier = number < firstPlaces ? Location.MEMORY : Location.BASE;
                    return Location.of(tier, number);
                },
                allocator,
                workers);
        times.ended("ids");
        times.log();
    }

    public EmbeddingTable table() {
        return table;
    }

    /** Finds the vectors by their ids. */
    public IdIndex index() {
        return index;
    }

    /** The bytes of vectors in memory. */
    public long memoryBytes() {
        return places * vectorBytes;
    }

    /** Whether all vectors are in memory. */
    public boolean isInMemory() {
        return scratch == null && (file == null || firstPlaces == file.vectors());
    }

    /** Where the bytes of a vector are that is in memory. */
    public long address(long place) {
        if (place < firstPlaces) {
            return firstAddress + place * vectorBytes;
        }
        long later = place - firstPlaces;
        long inChunk = later & (1L << chunkShift) - 1;
        return chunks[(int) (later >>> chunkShift)] + inChunk * vectorBytes;
    }

    /** Adds a vector that is not in memory to what is to be read. */
    void read(DiskReads reads, long location, long target) {
        long place = Location.place(location);
        if (Location.tier(location) == Location.SCRATCH) {
            scratch.read(reads, place, target);
        } else {
            file.read(reads, place, target);
        }
    }

    /**
     * Inserts a vector, or replaces it.
     *
     * @param source the address of its bytes
     */
    public void put(long id, long source) throws IOException {
        long location = index.find(id);
        if (Location.tier(location) == Location.MEMORY) {
            MemoryUtil.copyMemory(source, address(Location.place(location)), vectorBytes);
        } else if (Location.tier(location) == Location.SCRATCH) {
            scratch.write(Location.place(location), source);
        } else {
            index.put(id, store(source));
        }
    }

    private long store(long source) throws IOException {
        if (inMemory.hasFree() || inMemory.next() < places || grow()) {
            long place = inMemory.take();
            MemoryUtil.copyMemory(source, address(place), vectorBytes);
            return Location.of(Location.MEMORY, place);
        }
        if (scratch == null) {
            scratch = new ScratchFile(scratchDirectory, vectorBytes);
        }
        long place = inScratch.take();
        scratch.write(place, source);
        return Location.of(Location.SCRATCH, place);
    }

    /** Has memory for more vectors, if there is some; the last piece may be a small one. */
    private boolean grow() {
        long more = Math.min(1L << chunkShift, memory.room(vectorBytes));
        boolean endsWithSmallOne = (places - firstPlaces & (1L << chunkShift) - 1) != 0;
        if (more == 0 || endsWithSmallOne) {
            return false;
        }
        if (chunkCount == chunks.length) {
            chunks = Arrays.copyOf(chunks, 2 * chunkCount);
        }
        chunks[chunkCount++] = memory.take(more, vectorBytes);
        places += more;
        return true;
    }

    /** Deletes a vector; nothing if there is none with this id. */
    public void remove(long id) {
        long location = index.find(id);
        if (location == Location.NONE) {
            return;
        }
        index.remove(id);
        if (Location.tier(location) == Location.MEMORY) {
            inMemory.giveBack(Location.place(location));
        } else if (Location.tier(location) == Location.SCRATCH) {
            inScratch.giveBack(Location.place(location));
        }
    }

    /** Not the base file, which is its opener's. */
    @Override
    public void close() throws IOException {
        index.close();
        if (scratch != null) {
            scratch.close();
        }
    }
}
