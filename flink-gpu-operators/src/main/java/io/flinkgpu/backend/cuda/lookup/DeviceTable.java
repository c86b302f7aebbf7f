package io.flinkgpu.backend.cuda.lookup;

import io.flinkgpu.api.lookup.EmbeddingTable;
import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.cuda.device.CloseStack;
import io.flinkgpu.embeddings.DiskReads;
import io.flinkgpu.embeddings.LoadTimes;
import io.flinkgpu.embeddings.VectorFile;
import io.flinkgpu.embeddings.Workers;

import org.apache.arrow.memory.util.MemoryUtil;

import java.io.IOException;
import java.util.BitSet;
import java.util.List;

/**
 * A table: the index on the host and on the device, and its vectors, those with the least indexes in host memory, the
 * others on disk, and as many as there is room for in the cache. A vector is changed where it is, between batches.
 */
final class DeviceTable implements AutoCloseable {

    private static final int BLOCK_BYTES = 1 << 20;

    /** Twice as many slots have numbers that are ints. */
    static final int MOST_VECTORS = 1 << 30;

    private final EmbeddingTable table;
    private final VectorShape shape;
    private final LookupMemory memory;
    private final Puts puts;
    private final DiskReads reads;
    private final CloseStack resources = new CloseStack();
    private final DeviceIndex index;
    private final HostVectors host;
    private final DiskVectors disk;
    private final VectorCache cache;

    /** Where what a missing id gives is on the device; 0 if it is left out. */
    private final long missing;

    private LookupMemory.Piece chunks;
    private int knownChunks;

    private final BitSet changedVectors = new BitSet();

    /** Whether what {@link #describe} writes is not the same any more. */
    private boolean isMoved = true;

    /**
     * Loads the base file; the index is on the device after {@link #flush}.
     *
     * @param file the table's, which is closed with this; null if it has none
     * @param space budgets and where vectors go
     * @param puts stays the caller's
     */
    DeviceTable(EmbeddingTable table, VectorFile file, TableSpace space, Puts puts)
            throws BackendException {
        this.table = table;
        this.puts = puts;
        shape = VectorShape.of(table);
        memory = space.memory();
        reads = space.reads();
        long vectors = file == null ? 0 : file.vectors();
        disk =
                resources.push(
                        new DiskVectors(table.name(), shape.vectorBytes(), file, space.scratch()));
        try {
            index =
                    resources.push(
                            new DeviceIndex(
                                    table.name(),
                                    memory,
                                    space.allocator(),
                                    space.hash(),
                                    vectors,
                                    puts,
                                    space.workers()));
            host = resources.push(new HostVectors(shape, memory, space.hostBudget(), vectors));
            cache = resources.push(new VectorCache(shape, memory, space.deviceBudget()));
            missing = putMissing();
            if (file != null) {
                load(file, space);
            }
        } catch (IOException e) {
            BackendException failure = new BackendException(e.getMessage(), e);
            close(failure);
            throw failure;
        } catch (BackendException | RuntimeException | Error e) {
            close(e);
            throw e;
        }
    }

    private void close(Throwable cause) {
        try {
            close();
        } catch (IllegalStateException e) {
            cause.addSuppressed(e);
        }
    }

    private long putMissing() throws BackendException {
        float[] values = table.missing().values(table.dimension());
        if (values == null) {
            return 0;
        }
        int bytes = Float.BYTES * (values.length + 3 & -4);
        long address = resources.push(memory.take(bytes)).address();
        long target = puts.put(address, bytes);
        MemoryUtil.setMemory(target, bytes, (byte) 0);
        for (int i = 0; i < values.length; i++) {
            MemoryUtil.putInt(target + (long) Float.BYTES * i, Float.floatToRawIntBits(values[i]));
        }
        return address;
    }

    private void load(VectorFile file, TableSpace space) throws IOException, BackendException {
        requireFewVectors(table.name(), file.vectors());
        int vectors = (int) file.vectors();
        LoadTimes times = new LoadTimes(file);
        index.load(file, space.allocator(), space.workers());
        times.ended("ids");
        // The index comes first: without it all vectors in device memory are of little use.
        index.flush(space.workers());
        times.ended("index to the device");
        long most = space.hostVectors(vectors, shape);
        while (host.capacity() < most && host.grow(most - host.capacity())) {
            // The budget ends it, or the last vector.
        }
        disk.startAt(host.capacity());
        loadHost(file, Math.min(vectors, host.capacity()), space.workers());
        times.ended("vectors to the host");
        // What finds vectors has more use for device memory than they have.
        isMoved |= index.flush(space.workers());
        cache.open(space.deviceVectors(vectors, shape));
        int cached = Math.min(vectors, cache.places());
        int stride = shape.stride();
        int fromHost = (int) Math.min(cached, host.capacity());
        puts.upload(
                cache.address(),
                (long) fromHost * stride,
                stride,
                (at, target, bytes) -> host.readAll(at / stride, target, bytes),
                space.workers());
        uploadFromFile(file, fromHost, cached, space.workers());
        if (cache.places() > 0 && cache.places() < vectors) {
            cache.locate(vectors, puts);
        }
        times.ended("vectors to the device");
        times.log();
    }

    static void requireFewVectors(String table, long vectors) throws BackendException {
        if (vectors > MOST_VECTORS) {
            throw new BackendException(
                    "a table on a GPU has at most "
                            + MOST_VECTORS
                            + " vectors: table="
                            + table
                            + ", vectors="
                            + vectors
                            + "; make several tables of them, or choose the CPU");
        }
    }

    private void loadHost(VectorFile file, long count, Workers workers) throws IOException {
        int most = Math.max(1, BLOCK_BYTES / shape.vectorBytes());
        workers.run(
                Math.toIntExact((count + most - 1) / most),
                part -> {
                    long first = (long) part * most;
                    loadHost(file, first, (int) Math.min(most, count - first));
                });
    }

    private void loadHost(VectorFile file, long first, int count) throws IOException {
        long block = MemoryUtil.allocateMemory((long) count * shape.vectorBytes());
        try {
            file.readVectors(first, count, block);
            host.writeAll(first, count, block);
        } finally {
            MemoryUtil.freeMemory(block);
        }
    }

    /** Brings vectors that are not in host memory to their places in the cache. */
    private void uploadFromFile(VectorFile file, int from, int to, Workers workers)
            throws BackendException {
        int stride = shape.stride();
        puts.upload(
                cache.placeAddress(from),
                (long) (to - from) * stride,
                stride,
                (at, target, bytes) ->
                        readPadded(file, from + at / stride, (int) (bytes / stride), target),
                workers);
    }

    /** Reads vectors of a file, each with zeros up to its stride. */
    private void readPadded(VectorFile file, long first, int count, long target)
            throws IOException {
        file.readVectors(first, count, target);
        int bytes = shape.vectorBytes();
        int padding = shape.stride() - bytes;
        for (int i = count - 1; i >= 0 && padding > 0; i--) {
            long place = target + (long) shape.stride() * i;
            MemoryUtil.copyMemory(target + (long) bytes * i, place, bytes);
            MemoryUtil.setMemory(place + bytes, padding, (byte) 0);
        }
    }

    /** Has a vector written to a place of the cache. */
    private void putVector(int vector, long address) throws BackendException {
        long target = puts.put(address, shape.stride());
        MemoryUtil.setMemory(target, shape.stride(), (byte) 0);
        read(vector, target);
    }

    /** Copies the bytes of a vector, wherever it is. */
    private void read(int vector, long target) throws BackendException {
        if (vector < host.capacity()) {
            host.read(vector, target);
        } else {
            disk.read(reads, vector, target);
            BatchReads.run(reads);
        }
    }

    /** Adds a vector on disk to what is to be read. */
    void readDisk(int vector, long target) {
        disk.read(reads, vector, target);
    }

    EmbeddingTable table() {
        return table;
    }

    VectorShape shape() {
        return shape;
    }

    VectorCache cache() {
        return cache;
    }

    /** How many vectors there are. */
    long vectors() {
        return index.size();
    }

    long hostBytes() {
        return host.bytes();
    }

    /** Indexes below this were given out. */
    int indexes() {
        return index.indexes();
    }

    /** Whether a kernel may have to read a vector from host memory, or from disk. */
    boolean hasUncached() {
        return cache.isChosen() || cache.places() < index.indexes();
    }

    /** Whether vectors are on disk. */
    boolean hasDisk() {
        return host.capacity() < index.indexes();
    }

    /**
     * Inserts a vector, or replaces it.
     *
     * @param source the address of its bytes
     */
    void put(long id, long source) throws BackendException {
        int vector = index.find(id);
        if (vector == IdTable.NONE) {
            if (index.isNextNew()) {
                requireFewVectors(table.name(), index.indexes() + 1L);
                makeRoom(index.indexes());
            }
            vector = index.add(id);
        }
        if (vector < host.capacity()) {
            host.write(vector, source);
        } else {
            disk.write(vector, source);
        }
        changedVectors.set(vector);
    }

    /** Once vectors are on disk, those with larger indexes are as well. */
    private void makeRoom(int vector) throws BackendException {
        if (vector == host.capacity()) {
            host.grow();
            disk.startAt(host.capacity());
        }
        isMoved |= cache.makeRoom(vector, puts);
    }

    /** Deletes a vector; nothing if there is none with this id. */
    void remove(long id) {
        index.remove(id);
    }

    /**
     * Brings the device up to date.
     *
     * @return whether the table has to be described anew
     */
    boolean flush() throws BackendException {
        isMoved |= index.flush(Workers.ofCaller());
        for (int vector = changedVectors.nextSetBit(0);
                vector >= 0;
                vector = changedVectors.nextSetBit(vector + 1)) {
            int place = cache.location(vector);
            if (place != VectorCache.NOWHERE) {
                putVector(vector, cache.placeAddress(place));
            }
        }
        changedVectors.clear();
        if (knownChunks < host.chunks().size()) {
            putChunks();
        }
        boolean wasMoved = isMoved;
        isMoved = false;
        return wasMoved;
    }

    private void putChunks() throws BackendException {
        List<LookupMemory.HostPiece> all = host.chunks();
        if (chunks != null) {
            chunks.close();
            chunks = null;
        }
        chunks = memory.take((long) Long.BYTES * all.size());
        for (int i = 0; i < all.size(); i++) {
            long target = puts.put(chunks.address() + (long) Long.BYTES * i, Long.BYTES);
            MemoryUtil.putLong(target, all.get(i).deviceAddress());
        }
        knownChunks = all.size();
        isMoved = true;
    }

    /** Gives the places of vectors in the cache to others. */
    void swap(int[] evicted, int[] admitted) throws BackendException {
        for (int i = 0; i < admitted.length; i++) {
            long place = cache.swap(evicted[i], admitted[i], puts);
            if (admitted[i] < host.capacity()) {
                puts.copy(place, host.deviceAddress(admitted[i]), shape.stride());
            } else {
                putVector(admitted[i], place);
            }
        }
        puts.flush();
    }

    /** Writes the {@code lookup_table} struct to host memory. */
    void describe(long to) {
        MemoryUtil.putLong(to + LookupAbi.LOOKUP_TABLE_SLOTS, index.address());
        MemoryUtil.putLong(
                to + LookupAbi.LOOKUP_TABLE_CHUNKS, chunks == null ? 0 : chunks.address());
        MemoryUtil.putLong(to + LookupAbi.LOOKUP_TABLE_CACHE, cache.address());
        MemoryUtil.putLong(to + LookupAbi.LOOKUP_TABLE_LOCATIONS, cache.locationsAddress());
        MemoryUtil.putLong(to + LookupAbi.LOOKUP_TABLE_FREQUENCIES, cache.frequenciesAddress());
        MemoryUtil.putLong(to + LookupAbi.LOOKUP_TABLE_MISSING, missing);
        MemoryUtil.putInt(to + LookupAbi.LOOKUP_TABLE_SLOT_SHIFT, index.slotShift());
        MemoryUtil.putInt(to + LookupAbi.LOOKUP_TABLE_DIMENSION, table.dimension());
        MemoryUtil.putInt(to + LookupAbi.LOOKUP_TABLE_TYPE, table.type().ordinal());
        MemoryUtil.putInt(to + LookupAbi.LOOKUP_TABLE_STRIDE, shape.stride());
        MemoryUtil.putInt(to + LookupAbi.LOOKUP_TABLE_CACHED, cache.places());
        MemoryUtil.putInt(to + LookupAbi.LOOKUP_TABLE_HOST_VECTORS, (int) host.capacity());
        MemoryUtil.putInt(to + LookupAbi.LOOKUP_TABLE_CHUNK_SHIFT, host.chunkShift());
    }

    @Override
    public void close() {
        if (chunks != null) {
            chunks.close();
            chunks = null;
        }
        resources.close();
    }
}
