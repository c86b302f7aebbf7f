package io.flinkgpu.backend.cuda.lookup;

import io.flinkgpu.embeddings.IdSlots;
import io.flinkgpu.embeddings.Workers;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.util.MemoryUtil;

import java.io.IOException;
import java.util.function.IntConsumer;

/**
 * The host's copy of a table's {@code lookup_slot}s, slot for slot, and the one that is changed: the device gets the
 * slots that are not the same any more. Open addressing with linear probing; a deleted id leaves no grave, so that
 * at least half of the slots are free however often ids come and go.
 */
final class IdTable implements IdSlots, AutoCloseable {

    /** What {@link #find} gives for an id that is not there. */
    static final int NONE = -1;

    private static final int LEAST_LOG = 4;
    private static final int SLOT_BYTES = LookupAbi.LOOKUP_SLOT_BYTES;

    private final BufferAllocator allocator;
    private final IdHash hash;
    private ArrowBuf memory;
    private int log;
    private long mask;
    private long size;

    /**
     * @param expected how many ids there is room for, and for any number more
     * @param workers zero it
     */
    IdTable(BufferAllocator allocator, IdHash hash, long expected, Workers workers)
            throws IOException {
        this.allocator = allocator;
        this.hash = hash;
        int needed = LEAST_LOG;
        while (1L << needed < 2 * expected) {
            needed++;
        }
        allocate(needed);
        try {
            workers.zero(address(), bytes());
        } catch (IOException | RuntimeException | Error e) {
            memory.close();
            throw e;
        }
    }

    private void allocate(int newLog) {
        log = newLog;
        mask = (1L << log) - 1;
        memory = allocator.buffer(bytes());
    }

    long bytes() {
        return (long) SLOT_BYTES << log;
    }

    long size() {
        return size;
    }

    /** Where the slots are on the host. */
    long address() {
        return memory.memoryAddress();
    }

    /** What a slot number is shifted by, to be had from a hash. */
    int slotShift() {
        return Long.SIZE - log;
    }

    private long at(long slot) {
        return memory.memoryAddress() + SLOT_BYTES * slot;
    }

    private long id(long slot) {
        return MemoryUtil.getLong(at(slot) + LookupAbi.LOOKUP_SLOT_ID);
    }

    private boolean isUsed(long slot) {
        return MemoryUtil.getInt(at(slot) + LookupAbi.LOOKUP_SLOT_USED) != 0;
    }

    private int index(long slot) {
        return MemoryUtil.getInt(at(slot) + LookupAbi.LOOKUP_SLOT_INDEX);
    }

    private void set(long slot, long id, int index) {
        MemoryUtil.putLong(at(slot) + LookupAbi.LOOKUP_SLOT_ID, id);
        MemoryUtil.putInt(at(slot) + LookupAbi.LOOKUP_SLOT_INDEX, index);
        MemoryUtil.putInt(at(slot) + LookupAbi.LOOKUP_SLOT_USED, 1);
    }

    @Override
    public long slots() {
        return mask + 1;
    }

    @Override
    public long home(long id) {
        return hash.of(id) >>> slotShift();
    }

    /** The slot of an id, or the free one where it would be. */
    private long slot(long id) {
        long slot = home(id);
        while (isUsed(slot) && id(slot) != id) {
            slot = slot + 1 & mask;
        }
        return slot;
    }

    @Override
    public long fetch(long slot) {
        return id(slot);
    }

    @Override
    public Added add(long from, long to, long id, long word) {
        for (long slot = from; slot < to; slot++) {
            if (!isUsed(slot)) {
                set(slot, id, (int) word);
                return Added.NEW;
            }
            if (id(slot) == id) {
                return Added.TWICE;
            }
        }
        return Added.NO_ROOM;
    }

    @Override
    public void added(long count) {
        size += count;
    }

    /** The index of an id; {@link #NONE} if it is not there. */
    int find(long id) {
        long slot = slot(id);
        return isUsed(slot) ? index(slot) : NONE;
    }

    /**
     * Adds an id that is not there.
     *
     * @param changed gets the slots that changed
     * @return false if all slots are others now, of which there are more
     */
    boolean add(long id, int index, IntConsumer changed) {
        boolean fits = 2 * (size + 1) <= mask + 1;
        if (!fits) {
            grow();
        }
        long slot = slot(id);
        set(slot, id, index);
        size++;
        if (fits) {
            changed.accept((int) slot);
        }
        return fits;
    }

    private void grow() {
        try (ArrowBuf old = memory) {
            long end = old.memoryAddress() + bytes();
            allocate(log + 1);
            MemoryUtil.setMemory(address(), bytes(), (byte) 0);
            for (long from = old.memoryAddress(); from < end; from += SLOT_BYTES) {
                if (MemoryUtil.getInt(from + LookupAbi.LOOKUP_SLOT_USED) != 0) {
                    long id = MemoryUtil.getLong(from + LookupAbi.LOOKUP_SLOT_ID);
                    set(slot(id), id, MemoryUtil.getInt(from + LookupAbi.LOOKUP_SLOT_INDEX));
                }
            }
        }
    }

    /**
     * Removes an id.
     *
     * @param changed gets the slots that changed
     * @return its index; {@link #NONE} if it was not there
     */
    int remove(long id, IntConsumer changed) {
        long hole = slot(id);
        if (!isUsed(hole)) {
            return NONE;
        }
        int removed = index(hole);
        for (long next = hole + 1 & mask; isUsed(next); next = next + 1 & mask) {
            // One that is looked for from the hole on, or from before it, moves there.
            if ((next - home(id(next)) & mask) >= (next - hole & mask)) {
                set(hole, id(next), index(next));
                changed.accept((int) hole);
                hole = next;
            }
        }
        MemoryUtil.setMemory(at(hole), SLOT_BYTES, (byte) 0);
        changed.accept((int) hole);
        size--;
        return removed;
    }

    @Override
    public void close() {
        memory.close();
    }
}
