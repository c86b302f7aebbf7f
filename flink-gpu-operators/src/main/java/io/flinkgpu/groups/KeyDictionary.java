package io.flinkgpu.groups;

import org.apache.flink.annotation.Internal;

import java.util.Arrays;

/**
 * Numbers keys from 0, and keeps for each its bytes and its key group. On the heap, so that batches on
 * their way may outlive it. Not thread-safe.
 */
@Internal
public final class KeyDictionary {

    private static final int FIRST_KEYS = 64;
    private static final int CHUNK_BYTES = 1 << 14;

    private final KeyHash hash = new KeyHash();

    /** For each slot the hash's upper half, and the number and one more; 0 where the slot is free. */
    private long[] slots = new long[2 * FIRST_KEYS];

    /** For each key the chunk that has its bytes, where they are there, and how many there are. */
    private byte[][] chunks = new byte[FIRST_KEYS][];

    private int[] places = new int[FIRST_KEYS];
    private int[] lengths = new int[FIRST_KEYS];
    private int[] keyGroups = new int[FIRST_KEYS];
    private int size;

    /** The chunk that new keys are copied to, and its first free byte. */
    private byte[] chunk = {};

    private int free;
    private long heldBytes;

    public int size() {
        return size;
    }

    /** Bytes of memory that hold bytes of keys. */
    public long heldBytes() {
        return heldBytes;
    }

    /** The number of a key; -1 if it has none. */
    public int find(KeyBytes key) {
        byte[] bytes = key.array();
        int length = key.length();
        long hashed = hash.of(bytes, 0, length);
        int slot = slot(hashed);
        while (slots[slot] != 0) {
            int id = (int) slots[slot] - 1;
            if (slots[slot] >>> Integer.SIZE == hashed >>> Integer.SIZE
                    && Arrays.equals(
                            bytes, 0, length, chunks[id], places[id], places[id] + lengths[id])) {
                return id;
            }
            slot = slot + 1 & slots.length - 1;
        }
        return -1;
    }

    /** Numbers a key that has no number; its bytes are copied. */
    public int add(KeyBytes key, int keyGroup) {
        if (size == places.length) {
            grow();
        }
        int length = key.length();
        if (chunk.length - free < length) {
            chunk = new byte[Math.max(CHUNK_BYTES, length)];
            free = 0;
            heldBytes += chunk.length;
        }
        System.arraycopy(key.array(), 0, chunk, free, length);
        int id = size++;
        chunks[id] = chunk;
        places[id] = free;
        lengths[id] = length;
        keyGroups[id] = keyGroup;
        free += length;
        long hashed = hash.of(key.array(), 0, length);
        putSlot(hashed & 0xffff_ffffL << Integer.SIZE | id + 1);
        return id;
    }

    /** Sets the bytes of a key. */
    public void key(int id, KeyBytes to) {
        to.set(chunks[id], places[id], lengths[id]);
    }

    /** The key group of a key. */
    public int keyGroup(int id) {
        return keyGroups[id];
    }

    private int slot(long hashed) {
        return (int) (hashed >>> Long.SIZE - Integer.numberOfTrailingZeros(slots.length));
    }

    private void putSlot(long entry) {
        int slot = slot(entry);
        while (slots[slot] != 0) {
            slot = slot + 1 & slots.length - 1;
        }
        slots[slot] = entry;
    }

    private void grow() {
        chunks = Arrays.copyOf(chunks, 2 * size);
        places = Arrays.copyOf(places, 2 * size);
        lengths = Arrays.copyOf(lengths, 2 * size);
        keyGroups = Arrays.copyOf(keyGroups, 2 * size);
        long[] old = slots;
        slots = new long[2 * old.length];
        for (long entry : old) {
            if (entry != 0) {
                putSlot(entry);
            }
        }
    }
}
