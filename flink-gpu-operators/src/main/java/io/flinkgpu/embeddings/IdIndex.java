package io.flinkgpu.embeddings;

import org.apache.flink.annotation.Internal;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.util.MemoryUtil;

import java.io.IOException;
import java.util.concurrent.ThreadLocalRandom;

/**
 * From ids to where their vectors are: open addressing with linear probing, off the heap, at most two of three
 * slots full. The hash has a seed of its own, so that nobody can choose ids that collide.
 *
 * <p>A slot is 16 bytes: an id, and a word with a {@link Location}, which is 0 where the slot is empty, and above
 * it the batch that looked the id up last.
 */
@Internal
public final class IdIndex implements IdSlots, AutoCloseable {

    private static final int SLOT_SHIFT = 4;
    private static final long SLOT_BYTES = 1L << SLOT_SHIFT;
    private static final long MIN_SLOTS = 16;
    private static final int MAX_SLOT_BITS = 40;

    private final BufferAllocator allocator;
    private final long seed = ThreadLocalRandom.current().nextLong();
    private ArrowBuf memory;
    private long address;
    private long mask;
    private long size;

    /**
     * @param expected how many ids there is room for, and for any number more
     * @param workers zero it
     */
    public IdIndex(BufferAllocator allocator, long expected, Workers workers) throws IOException {
        this.allocator = allocator;
        allocate(slotsFor(expected));
        try {
            workers.zero(address, memory.capacity());
        } catch (IOException | RuntimeException | Error e) {
            memory.close();
            throw e;
        }
    }

    private static long slotsFor(long ids) {
        long least = Math.max(MIN_SLOTS, ids + (ids >> 1) + 1);
        return Long.highestOneBit(Math.min(least, 1L << MAX_SLOT_BITS) - 1) << 1;
    }

    private void allocate(long slots) {
        memory = allocator.buffer(slots << SLOT_SHIFT);
        address = memory.memoryAddress();
        mask = slots - 1;
    }

    @Override
    public long slots() {
        return mask + 1;
    }

    @Override
    public long home(long id) {
        return hash(id) & mask;
    }

    @Override
    public long fetch(long slot) {
        return MemoryUtil.getLong(address + (slot << SLOT_SHIFT));
    }

    @Override
    public Added add(long from, long to, long id, long word) {
        long end = address + (to << SLOT_SHIFT);
        for (long slot = address + (from << SLOT_SHIFT); slot < end; slot += SLOT_BYTES) {
            if (word(slot) == 0) {
                MemoryUtil.putLong(slot, id);
                setWord(slot, word);
                return Added.NEW;
            }
            if (MemoryUtil.getLong(slot) == id) {
                return Added.TWICE;
            }
        }
        return Added.NO_ROOM;
    }

    @Override
    public void added(long count) {
        size += count;
    }

    /** How many ids there are. */
    public long size() {
        return size;
    }

    /** Where the search for an id starts; {@link #at} finds it from there. */
    public long start(long id) {
        return address + (home(id) << SLOT_SHIFT);
    }

    /** The finalizer of Murmur3 over the seeded id. */
    private long hash(long id) {
        long h = id ^ seed;
        h = (h ^ h >>> 33) * 0xff51afd7ed558ccdL;
        h = (h ^ h >>> 33) * 0xc4ceb9fe1a85ec53L;
        return h ^ h >>> 33;
    }

    /** The slot of an id: its own, or the empty one where it would be. */
    public long at(long start, long id) {
        long slot = start;
        while (word(slot) != 0 && MemoryUtil.getLong(slot) != id) {
            slot = next(slot);
        }
        return slot;
    }

    private long next(long slot) {
        return address + (slot - address + SLOT_BYTES & (mask << SLOT_SHIFT | SLOT_BYTES - 1));
    }

    /** What a slot has beside its id; 0 if it is empty. */
    public static long word(long slot) {
        return MemoryUtil.getLong(slot + Long.BYTES);
    }

    /** Sets what a slot has beside its id. */
    public static void setWord(long slot, long word) {
        MemoryUtil.putLong(slot + Long.BYTES, word);
    }

    /** Where the vector of an id is; {@link Location#NONE} if there is none. */
    public long find(long id) {
        return Location.of(word(at(start(id), id)));
    }

    /** Says where the vector of an id is, in place of what was said before. */
    public void put(long id, long location) {
        long slot = at(start(id), id);
        if (word(slot) != 0) {
            setWord(slot, location);
            return;
        }
        if (3 * (size + 1) > 2 * (mask + 1)) {
            grow();
            slot = at(start(id), id);
        }
        MemoryUtil.putLong(slot, id);
        setWord(slot, location);
        size++;
    }

    private void grow() {
        ArrowBuf old = memory;
        long end = address + old.capacity();
        long from = address;
        allocate((mask + 1) << 1);
        MemoryUtil.setMemory(address, memory.capacity(), (byte) 0);
        for (long slot = from; slot < end; slot += SLOT_BYTES) {
            if (word(slot) != 0) {
                long id = MemoryUtil.getLong(slot);
                long moved = at(start(id), id);
                MemoryUtil.putLong(moved, id);
                setWord(moved, word(slot));
            }
        }
        old.close();
    }

    /** Forgets an id that is there; ids after it in the same run move up, so that no grave is left. */
    public void remove(long id) {
        long hole = at(start(id), id);
        size--;
        long slot = hole;
        while (true) {
            slot = next(slot);
            if (word(slot) == 0) {
                setWord(hole, 0);
                return;
            }
            long home = start(MemoryUtil.getLong(slot));
            if (distance(home, slot) >= distance(hole, slot)) {
                MemoryUtil.putLong(hole, MemoryUtil.getLong(slot));
                setWord(hole, word(slot));
                hole = slot;
            }
        }
    }

    /** From one slot to another, around the end. */
    private long distance(long from, long to) {
        return to - from & (mask << SLOT_SHIFT | SLOT_BYTES - 1);
    }

    @Override
    public void close() {
        memory.close();
    }
}
