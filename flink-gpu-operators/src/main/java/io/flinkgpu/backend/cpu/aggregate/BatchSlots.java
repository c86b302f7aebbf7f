package io.flinkgpu.backend.cpu.aggregate;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.util.MemoryUtil;

/**
 * Open addressing from hashes to the records of a {@link BatchTable}. Slots are numbered by how many bytes are
 * before them, records by how many are between them and the first one, which stands for none: so that a
 * record is found by few instructions. Off-heap, from the allocator. Not thread-safe.
 */
final class BatchSlots implements AutoCloseable {

    /** Records after this many bytes have no slot. */
    static final long MAX_RECORD_BYTES = (long) Long.BYTES << Integer.SIZE;

    private static final int SLOT_BYTES = Integer.BYTES;
    private static final int MIN_SLOTS = 256;

    private final BufferAllocator allocator;
    private final int veryFewGroups;
    private final int fewGroups;
    private ArrowBuf buffer;
    private long address;

    /** What takes a hash down to a slot, once bits that are no slot's are cut off. */
    private int shift;

    /** The last slot, which has all the bits that slots can have. */
    private long last;

    /**
     * @param veryFewGroups up to here they are sparser still
     * @param fewGroups up to here the slots are so sparse that few groups collide; beyond, they would be too
     *     large
     */
    BatchSlots(BufferAllocator allocator, int veryFewGroups, int fewGroups) {
        this.veryFewGroups = veryFewGroups;
        this.fewGroups = fewGroups;
        this.allocator = allocator;
    }

    long capacityBytes() {
        return buffer == null ? 0 : buffer.capacity();
    }

    /** The slot where a search for a hash begins. */
    long first(long hashed) {
        return hashed >>> shift & -SLOT_BYTES;
    }

    /** The slot where it goes on. */
    long next(long slot) {
        return slot + SLOT_BYTES & last;
    }

    /** The bytes between the first record and that of a slot; 0 if the slot is free. */
    long recordBytes(long slot) {
        // Counted in words, so that 32 bits reach far enough.
        return (MemoryUtil.getInt(address + slot) & 0xffff_ffffL) * Long.BYTES;
    }

    void put(long slot, long recordBytes) {
        MemoryUtil.putInt(address + slot, (int) (recordBytes / Long.BYTES));
    }

    /** Gives a record the first slot that is free. */
    void add(long hashed, long recordBytes) {
        long slot = first(hashed);
        while (recordBytes(slot) != 0) {
            slot = next(slot);
        }
        put(slot, recordBytes);
    }

    /** Whether half of the slots are in use. */
    boolean isHalfFull(int groups) {
        return 2L * SLOT_BYTES * groups > last;
    }

    /** Frees all slots. */
    void clear() {
        MemoryUtil.setMemory(address, last + SLOT_BYTES, (byte) 0);
    }

    /** Frees all slots, of which there are more than two for each expected group. */
    void clear(int expected) {
        int slotsPerGroup = expected <= veryFewGroups ? 32 : expected <= fewGroups ? 16 : 4;
        int count = Math.max(MIN_SLOTS, Integer.highestOneBit(expected) * slotsPerGroup);
        long bytes = (long) SLOT_BYTES * count;
        if (capacityBytes() < bytes) {
            close();
            buffer = allocator.buffer(bytes);
            address = buffer.memoryAddress();
        }
        last = bytes - SLOT_BYTES;
        shift = Long.SIZE - Long.numberOfTrailingZeros(bytes);
        clear();
    }

    /** Gives everything back. */
    @Override
    public void close() {
        if (buffer != null) {
            buffer.close();
            buffer = null;
        }
    }
}
