package io.flinkgpu.backend.cuda.lookup;

import io.flinkgpu.backend.BackendException;
import io.flinkgpu.embeddings.IdLoader;
import io.flinkgpu.embeddings.VectorFile;
import io.flinkgpu.embeddings.Workers;

import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.util.MemoryUtil;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.util.Arrays;
import java.util.BitSet;

/**
 * From the ids of a table to the indexes of its vectors: changed on the host, and brought to where kernels read it,
 * which is device memory, or that of the host if there is none. Indexes that come back are given out again.
 */
final class DeviceIndex implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(DeviceIndex.class);
    private static final int SLOT_BYTES = LookupAbi.LOOKUP_SLOT_BYTES;

    private final String table;
    private final LookupMemory memory;
    private final Puts puts;
    private final IdTable ids;
    private final BitSet changedSlots = new BitSet();
    private boolean isNew = true;

    /** One of both has the slots, for kernels to read. */
    private LookupMemory.Piece slots;

    private LookupMemory.HostPiece hostSlots;

    /** Indexes from which on none was given out, and those that came back. */
    private int next;

    private int[] free = new int[16];
    private int freeCount;

    /**
     * @param expected how many ids there is room for, and for any number more
     * @param puts stays the caller's
     * @param workers zero it
     */
    DeviceIndex(
            String table,
            LookupMemory memory,
            BufferAllocator allocator,
            IdHash hash,
            long expected,
            Puts puts,
            Workers workers)
            throws IOException {
        this.table = table;
        this.memory = memory;
        this.puts = puts;
        ids = new IdTable(allocator, hash, expected, workers);
    }

    /** How many ids there are. */
    long size() {
        return ids.size();
    }

    /** Indexes below this were given out. */
    int indexes() {
        return next;
    }

    /** The index of an id; {@link IdTable#NONE} if it is not there. */
    int find(long id) {
        return ids.find(id);
    }

    /** Adds the ids of a base file to an empty index; the index of each is its vector's number. */
    void load(VectorFile file, BufferAllocator allocator, Workers workers) throws IOException {
        IdLoader.load(file, ids, number -> number, allocator, workers);
        next = (int) file.vectors();
    }

    /** Whether {@link #add} gives out an index that was never given out. */
    boolean isNextNew() {
        return freeCount == 0;
    }

    /** Adds an id that is not there, and returns its index. */
    int add(long id) {
        int index = freeCount > 0 ? free[--freeCount] : next++;
        isNew |= !ids.add(id, index, this::changed);
        return index;
    }

    /** Removes an id; nothing if it is not there. */
    void remove(long id) {
        int index = ids.remove(id, this::changed);
        if (index != IdTable.NONE) {
            if (freeCount == free.length) {
                free = Arrays.copyOf(free, 2 * freeCount);
            }
            free[freeCount++] = index;
        }
    }

    /** Of slots that are all to be uploaded nothing is kept. */
    private void changed(int slot) {
        if (!isNew) {
            changedSlots.set(slot);
        }
    }

    /**
     * Brings kernels' slots up to date.
     *
     * @param workers read those that are all others
     * @return whether they are at another address now
     */
    boolean flush(Workers workers) throws BackendException {
        boolean isMoved = isNew;
        if (isNew) {
            upload(workers);
            isNew = false;
        } else {
            putChanged();
        }
        changedSlots.clear();
        return isMoved;
    }

    private void upload(Workers workers) throws BackendException {
        closeSlots();
        slots = memory.takeSpare(ids.bytes());
        if (slots != null) {
            puts.upload(slots.address(), ids.address(), ids.bytes(), workers);
            return;
        }
        LOG.warn(
                "The index of a table has no room on the GPU, which reads it from the host and is slower:"
                        + " table={}, bytes={}",
                table,
                ids.bytes());
        hostSlots = memory.takeHost(ids.bytes());
        hostSlots.write(0, ids.address(), ids.bytes());
    }

    private void putChanged() throws BackendException {
        for (int slot = changedSlots.nextSetBit(0);
                slot >= 0;
                slot = changedSlots.nextSetBit(slot + 1)) {
            long offset = (long) SLOT_BYTES * slot;
            if (slots == null) {
                hostSlots.write(offset, ids.address() + offset, SLOT_BYTES);
            } else {
                long target = puts.put(slots.address() + offset, SLOT_BYTES);
                MemoryUtil.copyMemory(ids.address() + offset, target, SLOT_BYTES);
            }
        }
    }

    /** Where kernels find the slots. */
    long address() {
        return slots == null ? hostSlots.deviceAddress() : slots.address();
    }

    int slotShift() {
        return ids.slotShift();
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

    @Override
    public void close() {
        closeSlots();
        ids.close();
    }
}
