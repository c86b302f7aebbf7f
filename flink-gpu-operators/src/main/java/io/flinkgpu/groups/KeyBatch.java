package io.flinkgpu.groups;

import org.apache.flink.annotation.Internal;

import org.apache.arrow.memory.util.MemoryUtil;

import java.util.Arrays;

/**
 * Some keys that are searched in a table together: what they need of its memory is read first, so that the
 * processor waits for many of them at once. Not thread-safe.
 */
@Internal
public final class KeyBatch {

    /** Keys of a batch. */
    public static final int MAX_KEYS = KeyWords.MAX_KEYS;

    private static final int SHORT_KEY = 2 * Long.BYTES;

    private final KeyWords words = new KeyWords();
    private final int[] starts = new int[MAX_KEYS];
    private final int[] lengths = new int[MAX_KEYS];
    private byte[] bytes = new byte[MAX_KEYS * (SHORT_KEY + KeyBytes.PADDING)];
    private int end;
    private int size;

    /** Forgets all keys. */
    public void clear() {
        size = 0;
        end = 0;
    }

    /** How many keys there are. */
    public int size() {
        return size;
    }

    /**
     * Adds a copy of a key. There are fewer than {@link #MAX_KEYS}.
     *
     * @param address of the key; of a shorter one {@value #SHORT_KEY} bytes can be read
     */
    public void add(long address, int length) {
        int at = add(length);
        if (length > SHORT_KEY) {
            MemoryUtil.copyFromMemory(address, bytes, at, length);
        } else {
            KeyBytes.LONGS.set(bytes, at, MemoryUtil.getLong(address));
            KeyBytes.LONGS.set(bytes, at + Long.BYTES, MemoryUtil.getLong(address + Long.BYTES));
        }
    }

    /**
     * Adds a key, whose bytes the caller writes to {@link #array()}. There are fewer than {@link #MAX_KEYS}.
     *
     * @return where in the array they begin
     */
    public int add(int length) {
        int needed = end + Math.max(length, SHORT_KEY) + KeyBytes.PADDING;
        if (needed > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(needed, 2 * bytes.length));
        }
        int at = end;
        starts[size] = at;
        lengths[size++] = length;
        end += length;
        return at;
    }

    /** The bytes of all keys; valid until another one is added. */
    public byte[] array() {
        return bytes;
    }

    /** Prepares a search of all keys in a table. */
    public void touch(GroupTable table) {
        for (int i = 0; i < size; i++) {
            words.set(i, table.hash(), bytes, starts[i], lengths[i]);
        }
        words.touch(table, size);
    }

    /** The group of a key in the table that was touched, or in another one that hashes keys alike; -1 if there is none. */
    public int find(GroupTable table, int key) {
        int group = words.candidate(table, key, bytes, starts[key], lengths[key]);
        return group >= 0 ? group : table.find(words.hashes[key], bytes, starts[key], lengths[key]);
    }

    /** Likewise, but the group is a new one if there was none. */
    public int group(GroupTable table, int key, int keyGroup) {
        int group = words.candidate(table, key, bytes, starts[key], lengths[key]);
        return group >= 0
                ? group
                : table.group(words.hashes[key], bytes, starts[key], lengths[key], keyGroup);
    }

    /** Copies a key. */
    public void copy(int key, KeyBytes to) {
        to.set(bytes, starts[key], lengths[key]);
    }

    /** {@link String#hashCode()} of a key that is UTF-8. */
    public int textHash(int key) {
        return TextHash.of(bytes, starts[key], lengths[key]);
    }

    @Override
    public String toString() {
        return "KeyBatch[size=" + size + "]";
    }
}
