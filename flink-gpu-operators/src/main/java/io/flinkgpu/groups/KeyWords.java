package io.flinkgpu.groups;

/**
 * What the search of some keys in a table needs: of each its hash and its first two words, after the key's end
 * 0, and where the table has a group that may be its own. Not thread-safe.
 */
final class KeyWords {

    /** Keys at a time: what is read for them stays in the cache until they are searched. */
    static final int MAX_KEYS = 256;

    /** The bits of a key of so many bytes in its first word, and in its second. */
    private static final long[] FIRST = new long[RowLayout.SHORT_KEY + 1];

    private static final long[] SECOND = new long[RowLayout.SHORT_KEY + 1];

    static {
        for (int bytes = 1; bytes <= RowLayout.SHORT_KEY; bytes++) {
            FIRST[bytes] = -1L >>> Math.max(0, Long.SIZE - Byte.SIZE * bytes);
            SECOND[bytes] = bytes > Long.BYTES ? -1L >>> 2 * Long.SIZE - Byte.SIZE * bytes : 0;
        }
    }

    final long[] hashes = new long[MAX_KEYS];
    final long[] firsts = new long[MAX_KEYS];
    final long[] seconds = new long[MAX_KEYS];

    /** The first group of the table that was touched whose hash is alike; -1 if there is none. */
    final int[] candidates = new int[MAX_KEYS];

    /** Where their rows were when the table was touched. */
    final long[] rows = new long[MAX_KEYS];

    /** Keeps what was read for its effect on the cache alone. */
    private long touched;

    /**
     * Sets a key.
     *
     * @param at where it is, after which 8 bytes more than it can be read
     */
    void set(int key, KeyHash hash, byte[] bytes, int at, int length) {
        if (length > RowLayout.SHORT_KEY || at + RowLayout.SHORT_KEY > bytes.length) {
            firsts[key] = KeyHash.word(bytes, at, length);
            seconds[key] = KeyHash.second(bytes, at, length);
            hashes[key] = hash.of(bytes, at, length);
            return;
        }
        long first = (long) KeyBytes.LONGS.get(bytes, at) & FIRST[length];
        long second = (long) KeyBytes.LONGS.get(bytes, at + Long.BYTES) & SECOND[length];
        firsts[key] = first;
        seconds[key] = second;
        hashes[key] = hash.ofShort(first, second, length);
    }

    /** Reads what the search of the first keys needs of a table. */
    void touch(GroupTable table, int count) {
        touched += table.touch(this, count);
    }

    /** The group of a key in any table, if it is the key's candidate; else -1. */
    int candidate(GroupTable table, int key, byte[] bytes, int at, int length) {
        int group = candidates[key];
        return table.hasKey(group, firsts[key], seconds[key], bytes, at, length) ? group : -1;
    }

    @Override
    public String toString() {
        return "KeyWords[touched=" + touched + "]";
    }
}
