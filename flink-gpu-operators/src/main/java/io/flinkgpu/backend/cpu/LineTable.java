package io.flinkgpu.backend.cpu;

import io.flinkgpu.backend.TimeSlices;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.util.MemoryUtil;

/**
 * The groups of a batch's lines, found by key and slice: a record of 64-bit words each, one behind the
 * other, and open addressing to them. Groups of a record always have the same bytes as key, whatever the
 * hash. Off-heap, from the allocator; what is small is kept for the next batch. Not thread-safe.
 *
 * <pre>
 *   key's bytes 0-7 | 8-15 | its length, group | slice | values ... | key's address | hash
 * </pre>
 */
final class LineTable implements AutoCloseable {

    private static final int KEY_WORD_0 = 0;
    private static final int KEY_WORD_1 = 8;
    private static final int KEY_LENGTH = 16;
    private static final int GROUP = 20;
    private static final int SLICE = 24;

    /** Where a record's values begin, in bytes. */
    static final int VALUES = 32;

    /** The length of what no key is, in the record that slots not in use refer to: the first. */
    private static final int NO_KEY = -1;

    /** A key of so many bytes is in its record's words. */
    static final int SHORT_KEY = 2 * Long.BYTES;

    private static final int MIN_SLOTS = 256;
    private static final int MIN_RECORDS = 64;

    /** Up to here the slots are so sparse that few groups collide; beyond, they would be too large. */
    private static final int FEW_GROUPS = 1 << 15;

    /**
     * Half of the slots are in use at most, so a key that is this far from its place hints at keys made to
     * collide.
     */
    private static final int MAX_PROBES = 160;

    /** How often {@link #peek} looks. */
    private static final int PEEKS = 4;

    /** What is kept between batches, at most. */
    private static final long KEPT_BYTES = 2L << 20;

    private final BufferAllocator allocator;
    private final LineHash hash;
    private final byte separator;
    private final long[] emptyValues;
    private final int keyAddressAt;
    private final int hashAt;
    private final int recordBytes;

    private ArrowBuf slotBuffer;
    private ArrowBuf recordBuffer;
    private long slots;
    private long records;
    private int shift;
    private int mask;
    private int capacity;
    private int groups;

    /**
     * @param separator what ends keys in the records' words
     * @param emptyValues the words of values that a new group begins with
     */
    LineTable(BufferAllocator allocator, LineHash hash, byte separator, long[] emptyValues) {
        this.separator = separator;
        this.allocator = allocator;
        this.hash = hash;
        this.emptyValues = emptyValues.clone();
        this.keyAddressAt = VALUES + Long.BYTES * emptyValues.length;
        this.hashAt = keyAddressAt + Long.BYTES;
        this.recordBytes = hashAt + Long.BYTES;
    }

    int groups() {
        return groups;
    }

    int recordBytes() {
        return recordBytes;
    }

    /** The address of a group's record. */
    long record(int group) {
        return records + (long) recordBytes * (group + 1L);
    }

    static int group(long record) {
        return MemoryUtil.getInt(record + GROUP);
    }

    static long slice(long record) {
        return MemoryUtil.getLong(record + SLICE);
    }

    long keyAddress(long record) {
        return MemoryUtil.getLong(record + keyAddressAt);
    }

    static int keyLength(long record) {
        return MemoryUtil.getInt(record + KEY_LENGTH);
    }

    /**
     * Forgets all groups; expects as many as there were.
     *
     * @param maxGroups how many there can be
     */
    void clear(int maxGroups) {
        int expected = Math.min(groups, maxGroups);
        groups = 0;
        useSlots(expected);
        if (recordBuffer == null) {
            useRecords(Math.max(MIN_RECORDS, expected));
        }
    }

    /**
     * The record of a key and a slice, which is made if there is none; 0 if the bytes are not a key,
     * because they have a line's end among them or are not UTF-8.
     *
     * @param key where it is; 16 bytes there can be read, and those of the key stay until the next batch
     */
    long find(long key, int lengthBytes, long slice) {
        long word0 = ended(MemoryUtil.getLong(key), lengthBytes);
        long word1 = ended(MemoryUtil.getLong(key + Long.BYTES), lengthBytes - Long.BYTES);
        return find(word0, word1, key, lengthBytes, slice);
    }

    private long find(long word0, long word1, long key, int lengthBytes, long slice) {
        return probe(
                hash.hash(word0, word1, key, lengthBytes, slice),
                word0,
                word1,
                key,
                lengthBytes,
                slice);
    }

    /** The first bytes of a word, and the separator behind them. */
    private long ended(long word, int count) {
        if (count < 0 || count >= Long.BYTES) {
            return count < 0 ? 0 : word;
        }
        return word & (1L << 8 * count) - 1 | (long) separator << 8 * count;
    }

    /**
     * The record of a key of at most 16 bytes, without slice; 0 if it is not near where it is looked for first.
     *
     * @param word0 the key's first eight bytes; behind its end the separator, then zeros
     * @param word1 the next eight, likewise; 0 if the separator is in the first
     */
    long peek(long word0, long word1, int lengthBytes) {
        int slot = (int) (hash.shortHash(word0, word1, TimeSlices.NONE) >>> shift);
        for (int probes = 0; probes < PEEKS; probes++) {
            long record = records + (long) recordBytes * MemoryUtil.getInt(slots + 4L * slot);
            if (hasKey(record, word0, word1, lengthBytes, TimeSlices.NONE)) {
                return record;
            }
            slot = (slot + 1) & mask;
        }
        return 0;
    }

    private static boolean hasKey(
            long record, long word0, long word1, int lengthBytes, long slice) {
        long differences =
                MemoryUtil.getLong(record + KEY_WORD_0) ^ word0
                        | MemoryUtil.getLong(record + KEY_WORD_1) ^ word1
                        | MemoryUtil.getLong(record + SLICE) ^ slice
                        | MemoryUtil.getInt(record + KEY_LENGTH) ^ lengthBytes;
        return differences == 0;
    }

    private long probe(long hashed, long word0, long word1, long key, int lengthBytes, long slice) {
        int slot = (int) (hashed >>> shift);
        for (int probes = 0; probes <= MAX_PROBES || hash.isHard(); probes++) {
            int group = MemoryUtil.getInt(slots + 4L * slot) - 1;
            if (group < 0) {
                return isKey(key, lengthBytes)
                        ? add(slot, hashed, word0, word1, key, lengthBytes, slice)
                        : 0;
            }
            long record = record(group);
            if (hasKey(record, word0, word1, lengthBytes, slice)
                    && (lengthBytes <= SHORT_KEY
                            || Bytes.equal(key, keyAddress(record), lengthBytes))) {
                return record;
            }
            slot = (slot + 1) & mask;
        }
        hash.harden();
        rehash();
        return find(word0, word1, key, lengthBytes, slice);
    }

    private static boolean isKey(long key, int lengthBytes) {
        return Bytes.indexOf(key, lengthBytes, '\n') < 0
                && CodePoints.areValid(key, key + lengthBytes);
    }

    private long add(
            int slot, long hashed, long word0, long word1, long key, int lengthBytes, long slice) {
        if (groups == capacity) {
            useRecords(2 * capacity);
        }
        long record = record(groups);
        MemoryUtil.putLong(record + KEY_WORD_0, word0);
        MemoryUtil.putLong(record + KEY_WORD_1, word1);
        MemoryUtil.putLong(record + keyAddressAt, key);
        MemoryUtil.putInt(record + KEY_LENGTH, lengthBytes);
        MemoryUtil.putInt(record + GROUP, groups);
        MemoryUtil.putLong(record + SLICE, slice);
        MemoryUtil.putLong(record + hashAt, hashed);
        for (int i = 0; i < emptyValues.length; i++) {
            MemoryUtil.putLong(record + VALUES + 8L * i, emptyValues[i]);
        }
        groups++;
        MemoryUtil.putInt(slots + 4L * slot, groups);
        if (2L * groups > mask) {
            useSlots(groups);
            fillSlots();
        }
        return record;
    }

    /** Hashes all keys anew. */
    private void rehash() {
        for (int group = 0; group < groups; group++) {
            long record = record(group);
            long hashed =
                    hash.hash(
                            MemoryUtil.getLong(record + KEY_WORD_0),
                            MemoryUtil.getLong(record + KEY_WORD_1),
                            keyAddress(record),
                            keyLength(record),
                            slice(record));
            MemoryUtil.putLong(record + hashAt, hashed);
        }
        MemoryUtil.setMemory(slots, 4L * (mask + 1L), (byte) 0);
        fillSlots();
    }

    private void fillSlots() {
        for (int group = 0; group < groups; group++) {
            int slot = (int) (MemoryUtil.getLong(record(group) + hashAt) >>> shift);
            while (MemoryUtil.getInt(slots + 4L * slot) != 0) {
                slot = (slot + 1) & mask;
            }
            MemoryUtil.putInt(slots + 4L * slot, group + 1);
        }
    }

    /** Frees all slots, of which there are more than two for each expected group. */
    private void useSlots(int expected) {
        int slotsPerGroup = expected <= FEW_GROUPS ? 16 : 4;
        int count = Math.max(MIN_SLOTS, Integer.highestOneBit(expected) * slotsPerGroup);
        if (slotBuffer == null || slotBuffer.capacity() < 4L * count) {
            if (slotBuffer != null) {
                slotBuffer.close();
                slotBuffer = null;
            }
            slotBuffer = allocator.buffer(4L * count);
            slots = slotBuffer.memoryAddress();
        }
        MemoryUtil.setMemory(slots, 4L * count, (byte) 0);
        mask = count - 1;
        shift = Long.SIZE - Integer.numberOfTrailingZeros(count);
    }

    private void useRecords(int count) {
        ArrowBuf buffer = allocator.buffer(recordBytes * (count + 1L));
        long first = buffer.memoryAddress();
        if (recordBuffer != null) {
            MemoryUtil.copyMemory(records, first, recordBytes * (groups + 1L));
            recordBuffer.close();
        }
        recordBuffer = buffer;
        records = first;
        MemoryUtil.putInt(records + KEY_LENGTH, NO_KEY);
        capacity = (int) Math.min(Integer.MAX_VALUE / 2, buffer.capacity() / recordBytes - 1);
    }

    /** Gives back what is large. */
    void trim() {
        if (slotBuffer.capacity() + recordBuffer.capacity() > KEPT_BYTES) {
            giveBack();
        }
    }

    /** Gives everything back; expects few groups. */
    @Override
    public void close() {
        giveBack();
        groups = 0;
    }

    private void giveBack() {
        if (slotBuffer != null) {
            slotBuffer.close();
            slotBuffer = null;
        }
        if (recordBuffer != null) {
            recordBuffer.close();
            recordBuffer = null;
        }
    }
}
