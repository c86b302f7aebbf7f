package io.flinkgpu.groups;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.util.MemoryUtil;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * Blocks off the heap for the bytes of cells. Blocks have sizes of two for each power of two, and one that
 * is given back is the next of its size; those above {@value #MAX_SHARED_BYTES} bytes have a buffer of
 * their own. Eight bytes come before the contents: their length and the most that they may have.
 */
final class CellArena implements AutoCloseable {

    /** The address of no block. */
    static final long NONE = 0;

    private static final int HEAD_BYTES = Long.BYTES;
    private static final int CAPACITY = Integer.BYTES;
    private static final int LEAST_BITS = 4;
    private static final int MAX_SHARED_BITS = 14;
    private static final int MAX_SHARED_BYTES = 1 << MAX_SHARED_BITS;

    private final BufferAllocator allocator;
    private final Arena arena;

    /** For each size the first block that was given back, which has the address of the next. */
    private final long[] free = new long[sizeClass(MAX_SHARED_BYTES) + 1];

    private final Map<Long, ArrowBuf> own = new HashMap<>();
    private long ownBytes;

    CellArena(BufferAllocator allocator) {
        this.allocator = allocator;
        this.arena = new Arena(allocator);
    }

    /** How many bytes the contents of a block have. */
    static int length(long block) {
        return MemoryUtil.getInt(block);
    }

    static void setLength(long block, int length) {
        MemoryUtil.putInt(block, length);
    }

    /** The most bytes that they may have. */
    static int capacity(long block) {
        return MemoryUtil.getInt(block + CAPACITY);
    }

    /** Where they are. */
    static long contents(long block) {
        return block + HEAD_BYTES;
    }

    /**
     * A block without contents.
     *
     * @param capacity the most bytes that they will have
     * @throws org.apache.arrow.memory.OutOfMemoryException if there is no memory; nothing has changed
     */
    long allocate(int capacity) {
        long needed = Math.max(1L << LEAST_BITS, (long) capacity + HEAD_BYTES);
        if (needed > MAX_SHARED_BYTES) {
            ArrowBuf buffer = allocator.buffer(needed);
            own.put(buffer.memoryAddress(), buffer);
            ownBytes += buffer.capacity();
            return begin(buffer.memoryAddress(), buffer.capacity());
        }
        int sizeClass = sizeClass((int) needed);
        long block = free[sizeClass];
        if (block == NONE) {
            block = arena.allocate(bytes(sizeClass));
        } else {
            free[sizeClass] = MemoryUtil.getLong(block);
        }
        return begin(block, bytes(sizeClass));
    }

    private static long begin(long block, long bytes) {
        setLength(block, 0);
        MemoryUtil.putInt(block + CAPACITY, (int) Math.min(bytes - HEAD_BYTES, Integer.MAX_VALUE));
        return block;
    }

    /** Gives a block back. */
    void free(long block) {
        ArrowBuf buffer = own.isEmpty() ? null : own.remove(block);
        if (buffer != null) {
            ownBytes -= buffer.capacity();
            buffer.close();
            return;
        }
        int sizeClass = sizeClass(capacity(block) + HEAD_BYTES);
        MemoryUtil.putLong(block, free[sizeClass]);
        free[sizeClass] = block;
    }

    /** The first size of at least some bytes: 16, 24, 32, 48, 64, ... */
    private static int sizeClass(int bytes) {
        int bits = Integer.SIZE - Integer.numberOfLeadingZeros(bytes - 1);
        boolean isHalfway = bits > LEAST_BITS && bytes <= 3 << bits - 2;
        return 2 * (bits - LEAST_BITS) - (isHalfway ? 1 : 0);
    }

    private static int bytes(int sizeClass) {
        int power = 1 << LEAST_BITS + sizeClass / 2;
        return sizeClass % 2 == 0 ? power : power + power / 2;
    }

    /** What it takes of the allocator. */
    long bytes() {
        return arena.bytes() + ownBytes;
    }

    @Override
    public void close() {
        own.values().forEach(ArrowBuf::close);
        own.clear();
        ownBytes = 0;
        arena.close();
        Arrays.fill(free, NONE);
    }
}
