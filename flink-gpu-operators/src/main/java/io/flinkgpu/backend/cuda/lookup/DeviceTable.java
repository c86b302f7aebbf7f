package io.flinkgpu.backend.cuda.lookup;

import io.flinkgpu.api.lookup.EmbeddingTable;
import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.cuda.device.CloseStack;
import io.flinkgpu.embeddings.VectorFile;

import org.apache.arrow.memory.util.MemoryUtil;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/**
 * A table: the index on the host and on the device, and its vectors, those with the least indexes in host memory, the
 * others on disk, and as many as there is room for in the cache. A vector is changed where it is, between batches.
 */
final class DeviceTable implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(DeviceTable.class);
    private static final int BLOCK_BYTES = 1 << 20;

    private final EmbeddingTable table;
    private final VectorShape shape;
    private final LookupMemory memory;
    private final Puts puts;
    private final CloseStack resources = new CloseStack();
    private final IdTable ids;
    private final HostVectors host;
    private final DiskVectors disk;
    private final VectorCache cache;

    /** Where what a missing id gives is on the device; 0 if it is left out. */
    private final long missing;

    /** One of both has the slots of the index, for kernels to read. */
    private LookupMemory.Piece slots;

    private LookupMemory.HostPiece hostSlots;

    private LookupMemory.Piece chunks;
    private int knownChunks;

    /** Indexes from which on none was given out, and those that came back. */
    private int nextIndex;

    private int[] freeIndexes = new int[16];
    private int freeCount;

    private final BitSet changedSlots = new BitSet();
    private final BitSet changedVectors = new BitSet();
    private boolean isIndexNew = true;

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
        long vectors = file == null ? 0 : file.vectors();
        disk =
                resources.push(
                        new DiskVectors(table.name(), shape.vectorBytes(), file, space.scratch()));
        try {
            ids = resources.push(new IdTable(space.allocator(), space.hash(), vectors));
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
        nextIndex = Math.toIntExact(file.vectors());
        file.readIds(
                space.allocator(),
                (number, id) -> {
                    if (ids.find(id) != IdTable.NONE) {
                        throw file.twice(number);
                    }
                    ids.add(id, (int) number, slot -> {});
                });
        long most = space.hostVectors(file.vectors(), shape);
        while (host.capacity() < most && host.grow(most - host.capacity())) {
            // The budget ends it, or the last vector.
        }
        disk.startAt(host.capacity());
        loadHost(file, Math.min(nextIndex, host.capacity()));
        // What finds vectors has more use for device memory than they have.
        uploadIndex();
        cache.open(space.deviceVectors(file.vectors(), shape));
        for (int index = 0; index < Math.min(nextIndex, cache.places()); index++) {
            putVector(index, cache.placeAddress(index));
        }
        if (cache.places() > 0 && cache.places() < nextIndex) {
            cache.locate(nextIndex, puts);
        }
    }

    private void loadHost(VectorFile file, long count) throws IOException {
        int most = Math.max(1, BLOCK_BYTES / shape.vectorBytes());
        long block = MemoryUtil.allocateMemory((long) most * shape.vectorBytes());
        try {
            for (long first = 0; first < count; first += most) {
                int some = (int) Math.min(most, count - first);
                file.readVectors(first, some, block);
                for (int i = 0; i < some; i++) {
                    host.write(first + i, block + (long) i * shape.vectorBytes());
                }
            }
        } finally {
            MemoryUtil.freeMemory(block);
        }
    }

    /** Has a vector written to a place of the cache. */
    private void putVector(int index, long address) throws BackendException {
        long target = puts.put(address, shape.stride());
        MemoryUtil.setMemory(target, shape.stride(), (byte) 0);
        read(index, target);
    }

    /** Copies the bytes of a vector, wherever it is. */
    private void read(int index, long target) throws BackendException {
        if (index < host.capacity()) {
            host.read(index, target);
        } else {
            disk.read(index, target);
        }
    }

    /** Copies the bytes of a vector on disk; any thread, while nothing is changed. */
    void readDisk(int index, long target) throws BackendException {
        disk.read(index, target);
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
        return ids.size();
    }

    long hostBytes() {
        return host.bytes();
    }

    /** Indexes below this were given out. */
    int indexes() {
        return nextIndex;
    }

    /** Whether a kernel may have to read a vector from host memory, or from disk. */
    boolean hasUncached() {
        return cache.isChosen() || cache.places() < nextIndex;
    }

    /** Whether vectors are on disk. */
    boolean hasDisk() {
        return host.capacity() < nextIndex;
    }

    /**
     * Inserts a vector, or replaces it.
     *
     * @param source the address of its bytes
     */
    void put(long id, long source) throws BackendException {
        int index = ids.find(id);
        if (index == IdTable.NONE) {
            index = newIndex();
            isIndexNew |= !ids.add(id, index, changedSlots::set);
        }
        if (index < host.capacity()) {
            host.write(index, source);
        } else {
            disk.write(index, source);
        }
        changedVectors.set(index);
    }

    private int newIndex() throws BackendException {
        if (freeCount > 0) {
            return freeIndexes[--freeCount];
        }
        int index = nextIndex;
        // Once vectors are on disk, those with larger indexes are as well.
        if (index == host.capacity()) {
            host.grow();
            disk.startAt(host.capacity());
        }
        isMoved |= cache.makeRoom(index, puts);
        nextIndex++;
        return index;
    }

    /** Deletes a vector; nothing if there is none with this id. */
    void remove(long id) {
        int index = ids.remove(id, changedSlots::set);
        if (index != IdTable.NONE) {
            if (freeCount == freeIndexes.length) {
                freeIndexes = Arrays.copyOf(freeIndexes, 2 * freeCount);
            }
            freeIndexes[freeCount++] = index;
        }
    }

    /**
     * Brings the device up to date.
     *
     * @return whether the table has to be described anew
     */
    boolean flush() throws BackendException {
        if (isIndexNew) {
            uploadIndex();
        } else {
            putChangedSlots();
        }
        for (int index = changedVectors.nextSetBit(0);
                index >= 0;
                index = changedVectors.nextSetBit(index + 1)) {
            int place = cache.location(index);
            if (place != VectorCache.NOWHERE) {
                putVector(index, cache.placeAddress(place));
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

    private void uploadIndex() throws BackendException {
        closeSlots();
        slots = memory.takeSpare(ids.bytes());
        if (slots != null) {
            puts.upload(slots.address(), ids.address(), ids.bytes());
        } else {
            LOG.warn(
                    "The index of a table has no room on the GPU, which reads it from the host and is slower:"
                            + " table={}, bytes={}",
                    table.name(),
                    ids.bytes());
            hostSlots = memory.takeHost(ids.bytes());
            hostSlots.write(0, ids.address(), ids.bytes());
        }
        changedSlots.clear();
        isIndexNew = false;
        isMoved = true;
    }

    private void closeSlots() {
        if (slots != null) {
            slots.close();
            slots = null;
        }
        if (hostSlots != null) {
            hostSlots.close();
            hostSlots = null;
        }
    }

    private void putChangedSlots() throws BackendException {
        int bytes = LookupAbi.LOOKUP_SLOT_BYTES;
        for (int slot = changedSlots.nextSetBit(0);
                slot >= 0;
                slot = changedSlots.nextSetBit(slot + 1)) {
            long offset = (long) bytes * slot;
            if (slots == null) {
                hostSlots.write(offset, ids.address() + offset, bytes);
            } else {
                long target = puts.put(slots.address() + offset, bytes);
                MemoryUtil.copyMemory(ids.address() + offset, target, bytes);
            }
        }
        changedSlots.clear();
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
        MemoryUtil.putLong(
                to + LookupAbi.LOOKUP_TABLE_SLOTS,
                slots == null ? hostSlots.deviceAddress() : slots.address());
        MemoryUtil.putLong(
                to + LookupAbi.LOOKUP_TABLE_CHUNKS, chunks == null ? 0 : chunks.address());
        MemoryUtil.putLong(to + LookupAbi.LOOKUP_TABLE_CACHE, cache.address());
        MemoryUtil.putLong(to + LookupAbi.LOOKUP_TABLE_LOCATIONS, cache.locationsAddress());
        MemoryUtil.putLong(to + LookupAbi.LOOKUP_TABLE_FREQUENCIES, cache.frequenciesAddress());
        MemoryUtil.putLong(to + LookupAbi.LOOKUP_TABLE_MISSING, missing);
        MemoryUtil.putInt(to + LookupAbi.LOOKUP_TABLE_SLOT_SHIFT, ids.slotShift());
        MemoryUtil.putInt(to + LookupAbi.LOOKUP_TABLE_DIMENSION, table.dimension());
        MemoryUtil.putInt(to + LookupAbi.LOOKUP_TABLE_TYPE, table.type().ordinal());
        MemoryUtil.putInt(to + LookupAbi.LOOKUP_TABLE_STRIDE, shape.stride());
        MemoryUtil.putInt(to + LookupAbi.LOOKUP_TABLE_CACHED, cache.places());
        MemoryUtil.putInt(to + LookupAbi.LOOKUP_TABLE_HOST_VECTORS, (int) host.capacity());
        MemoryUtil.putInt(to + LookupAbi.LOOKUP_TABLE_CHUNK_SHIFT, host.chunkShift());
    }

    @Override
    public void close() {
        closeSlots();
        if (chunks != null) {
            chunks.close();
            chunks = null;
        }
        resources.close();
    }
}
