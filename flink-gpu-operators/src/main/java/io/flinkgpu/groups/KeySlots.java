package io.flinkgpu.groups;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.util.MemoryUtil;

import java.util.Arrays;

/**
 * Where the groups of keys are among rows, which have the keys: open addressing, at most half full. Not
 * thread-safe.
 */
final class KeySlots implements AutoCloseable {

    private static final int FIRST_SLOTS = 64;
    private static final long GROUP = 0xffff_ffffL;

    /** From so many slots on keys that are not in their rows are hardly in the cache. */
    private static final int FAR_SLOTS = 1 << 14;

    private final BufferAllocator allocator;
    private final RowPages rows;

    /** For each slot the hash's upper half, and the group and one more; 0 where the slot is free. */
    private ArrowBuf slots;

    private long slotsAddress;
    private int shift;
    private long mask;

    /** Whether keys were put in that are not in their rows. */
    private boolean hasLongKeys;

    KeySlots(BufferAllocator allocator, RowPages rows) {
        this.allocator = allocator;
        this.rows = rows;
    }

    /**
     * Makes room for one more group.
     *
     * @param groups how many there are
     * @throws org.apache.arrow.memory.OutOfMemoryException if there is no memory; nothing has changed
     */
    void reserve(int groups) {
        if (slots == null) {
            use(FIRST_SLOTS);
        } else if (2L * (groups + 1) > mask + 1) {
            use(2 * (mask + 1));
        }
    }

    /** Lets the key of a hash find a group, for which there is room. */
    void put(long hashed, int group) {
        putTag(hashed >>> Integer.SIZE, group);
        hasLongKeys |=
                MemoryUtil.getInt(rows.address(group) + RowLayout.LENGTH) > RowLayout.SHORT_KEY;
    }

    /** Lets the key of a group find a twin instead. */
    void findInstead(long hashed, int group, int twin) {
        long index = hashed >>> shift;
        long slot = MemoryUtil.getLong(slotsAddress + (index << 3));
        while ((int) slot != group + 1) {
            index = index + 1 & mask;
            slot = MemoryUtil.getLong(slotsAddress + (index << 3));
        }
        MemoryUtil.putLong(slotsAddress + (index << 3), slot & ~GROUP | twin + 1);
    }

    /**
     * Reads where the groups of the first keys may be, so that they are in the cache when they are searched,
     * and sets the candidates. No step waits for what it reads: many reads are on their way at once.
     *
     * @return what was read, of no meaning
     */
    long touch(KeyWords keys, int count) {
        if (rows.pages() == 0) {
            Arrays.fill(keys.candidates, 0, count, -1);
            return 0;
        }
        long sum = 0;
        for (int i = 0; i < count; i++) {
            sum += MemoryUtil.getLong(slotsAddress + ((keys.hashes[i] >>> shift) << 3));
        }
        for (int i = 0; i < count; i++) {
            keys.candidates[i] = candidate(keys.hashes[i]);
        }
        sum += rows.touch(keys, count);
        if (hasLongKeys && mask >= FAR_SLOTS) {
            for (int i = 0; i < count; i++) {
                sum += touchKey(keys.candidates[i]);
            }
        }
        return sum;
    }

    /** Reads the first and last bytes that are compared of a key which is not in its row. */
    private long touchKey(int group) {
        if (group < 0) {
            return 0;
        }
        long row = rows.address(group);
        int length = MemoryUtil.getInt(row + RowLayout.LENGTH);
        if (length <= RowLayout.SHORT_KEY) {
            return 0;
        }
        long key = MemoryUtil.getLong(row + RowLayout.REST);
        return MemoryUtil.getByte(key + Long.BYTES) + MemoryUtil.getByte(key + length - 1);
    }

    /** The first group whose hash is alike in its upper half; -1 if there is none. */
    private int candidate(long hashed) {
        long tag = hashed >>> Integer.SIZE;
        long index = hashed >>> shift;
        while (true) {
            long slot = MemoryUtil.getLong(slotsAddress + (index << 3));
            if (slot == 0 || slot >>> Integer.SIZE == tag) {
                return (int) slot - 1;
            }
            index = index + 1 & mask;
        }
    }

    /**
     * The group of a key; -1 if there is none.
     *
     * @param word {@link KeyHash#word} of the key
     * @param second {@link KeyHash#second} of it
     */
    int find(long hashed, long word, long second, byte[] key, int at, int length) {
        if (slots == null) {
            return -1;
        }
        long tag = hashed >>> Integer.SIZE;
        long index = hashed >>> shift;
        while (true) {
            long slot = MemoryUtil.getLong(slotsAddress + (index << 3));
            if (slot == 0) {
                return -1;
            }
            if (slot >>> Integer.SIZE == tag
                    && isKey((int) slot - 1, word, second, key, at, length)) {
                return (int) slot - 1;
            }
            index = index + 1 & mask;
        }
    }

    /** Whether a key is that of a group, likewise. */
    boolean isKey(int group, long word, long second, byte[] key, int at, int length) {
        long row = rows.address(group);
        long different =
                MemoryUtil.getInt(row + RowLayout.LENGTH) ^ length
                        | MemoryUtil.getLong(row + RowLayout.KEY) ^ word;
        if (length <= RowLayout.SHORT_KEY) {
            return (different | MemoryUtil.getLong(row + RowLayout.REST) ^ second) == 0;
        }
        return different == 0 && isRest(row, key, at, length);
    }

    /** Whether the bytes of a long key after the first eight are those of a row. */
    private static boolean isRest(long row, byte[] key, int at, int length) {
        long rest = MemoryUtil.getLong(row + RowLayout.REST);
        int i = Long.BYTES;
        for (; i + Long.BYTES <= length; i += Long.BYTES) {
            if (MemoryUtil.getLong(rest + i) != (long) KeyBytes.LONGS.get(key, at + i)) {
                return false;
            }
        }
        for (; i < length; i++) {
            if (MemoryUtil.getByte(rest + i) != key[at + i]) {
                return false;
            }
        }
        return true;
    }

    private void putTag(long tag, int group) {
        long index = tag << Integer.SIZE >>> shift;
        while (MemoryUtil.getLong(slotsAddress + (index << 3)) != 0) {
            index = index + 1 & mask;
        }
        MemoryUtil.putLong(slotsAddress + (index << 3), tag << Integer.SIZE | group + 1);
    }

    private void use(long count) {
        if (count > 1L << Integer.SIZE - 1) {
            throw new IllegalStateException(
                    "a table has at most 2^30 groups: groups=" + (mask + 1) / 2);
        }
        ArrowBuf grown = allocator.buffer(count << 3);
        grown.setZero(0, count << 3);
        ArrowBuf old = slots;
        long oldSlots = old == null ? 0 : mask + 1;
        long oldAddress = slotsAddress;
        slots = grown;
        slotsAddress = grown.memoryAddress();
        mask = count - 1;
        shift = Long.numberOfLeadingZeros(mask);
        for (long i = 0; i < oldSlots; i++) {
            long slot = MemoryUtil.getLong(oldAddress + (i << 3));
            if (slot != 0) {
                putTag(slot >>> Integer.SIZE, (int) slot - 1);
            }
        }
        if (old != null) {
            old.close();
        }
    }

    /** What they take of the allocator. */
    long bytes() {
        return slots == null ? 0 : slots.capacity();
    }

    /** Forgets all groups. */
    @Override
    public void close() {
        if (slots != null) {
            slots.close();
            slots = null;
        }
        mask = 0;
    }
}
