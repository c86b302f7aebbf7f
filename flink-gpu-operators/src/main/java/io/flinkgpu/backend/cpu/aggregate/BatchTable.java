package io.flinkgpu.backend.cpu.aggregate;

import io.flinkgpu.backend.cpu.bytes.Bytes;

import org.apache.flink.annotation.Internal;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.OutOfMemoryException;
import org.apache.arrow.memory.util.MemoryUtil;

/**
 * The groups of a batch, found by key and slice: a record of 64-bit words each, one after the other in the
 * order of their first rows, and open addressing to them. Groups of a record always have the same bytes as
 * key, whatever the hash. Off-heap, from the allocator; what is small is kept for the next batch. Not
 * thread-safe.
 *
 * <p>A {@link io.flinkgpu.groups.GroupTable} holds groups from batch to batch, and is another table: it copies
 * keys, and its rows are of other lengths from page to page, where keys here stay where the batch has them
 * and records of one length become arrays. Of batches of 100,000 rows with a double it took 57 to 61 ns a row
 * of 400 keys and 580 to 660 of 50,000, where 10 to 12 and 17 to 40 were taken without it.
 *
 * <pre>
 *   key's bytes 0-7 | 8-15 | its length, group | slice | values ... | key's address
 * </pre>
 *
 * <p>In a table of numbers a record is as short as can be, so that many are in a cache:
 *
 * <pre>
 *   number, group | slice
 * </pre>
 */
@Internal
public final class BatchTable implements AutoCloseable {

    private static final int KEY_WORD_0 = 0;
    private static final int KEY_WORD_1 = 8;
    private static final int KEY_LENGTH = 16;
    private static final int GROUP = 20;

    /** Where its slice is. */
    public static final int SLICE = 24;

    /** Where a record's values begin, in bytes. */
    public static final int VALUES = 32;

    private static final int NUMBER = 0;
    private static final int NUMBER_GROUP = 4;
    private static final int NUMBER_SLICE = 8;
    private static final int NUMBER_BYTES = 16;

    /** Words and length of no key, in the record that slots not in use refer to: the first. */
    private static final long NO_KEY = -1;

    /** A key of at most this many bytes is in its record's words. */
    static final int SHORT_KEY = 2 * Long.BYTES;

    private static final int MIN_RECORDS = 64;

    /** So few keys of bytes are kept apart still more. */
    private static final int VERY_FEW_GROUPS = 1 << 10;

    /**
     * Half of the slots are in use at most, so a key that is this far from its place hints at keys made to
     * collide.
     */
    private static final int MAX_PROBES = 160;

    /** What is kept between batches, at most. */
    private static final long KEPT_BYTES = 4L << 20;

    private final BufferAllocator allocator;
    private final BatchHash hash;
    private final BatchSlots slots;
    private final Keys keys;
    private final byte separator;
    private final long[] emptyValues;
    private final boolean isOfNumbers;
    private final int keyAddressAt;
    private final int recordBytes;

    private ArrowBuf recordBuffer;

    private long records;
    private int capacity;
    private int groups;

    /** Which bytes are a key. */
    @FunctionalInterface
    public interface Keys {

        boolean isKey(long key, int lengthBytes);
    }

    /**
     * @param keys asked once for each group
     * @param separator what ends keys in the records' words
     * @param emptyValues the words of values that a new group begins with
     * @param fewGroups up to here memory is spent so that few groups collide
     */
    public BatchTable(
            BufferAllocator allocator,
            BatchHash hash,
            Keys keys,
            byte separator,
            long[] emptyValues,
            int fewGroups) {
        this(allocator, hash, keys, separator, emptyValues, fewGroups, false);
    }

    private BatchTable(
            BufferAllocator allocator,
            BatchHash hash,
            Keys keys,
            byte separator,
            long[] emptyValues,
            int fewGroups,
            boolean isOfNumbers) {
        this.isOfNumbers = isOfNumbers;
        this.keys = keys;
        this.separator = separator;
        this.allocator = allocator;
        this.hash = hash;
        this.slots = new BatchSlots(allocator, isOfNumbers ? 0 : VERY_FEW_GROUPS, fewGroups);
        this.emptyValues = emptyValues.clone();
        this.keyAddressAt = VALUES + Long.BYTES * emptyValues.length;
        this.recordBytes = isOfNumbers ? NUMBER_BYTES : keyAddressAt + Long.BYTES;
    }

    /** A table whose keys are numbers, and whose records have no values. */
    static BatchTable ofNumbers(BufferAllocator allocator, BatchHash hash, int fewGroups) {
        return new BatchTable(allocator, hash, null, (byte) 0, new long[0], fewGroups, true);
    }

    public int groups() {
        return groups;
    }

    public int recordBytes() {
        return recordBytes;
    }

    /** The address of a group's record. */
    public long record(int group) {
        return records + (long) recordBytes * (group + 1L);
    }

    /** The number of a record's group, in a table of bytes. */
    public static int group(long record) {
        return MemoryUtil.getInt(record + GROUP);
    }

    long slice(long record) {
        return MemoryUtil.getLong(record + (isOfNumbers ? NUMBER_SLICE : SLICE));
    }

    /** Where a key's bytes are, in a table of bytes. */
    public long keyAddress(long record) {
        return MemoryUtil.getLong(record + keyAddressAt);
    }

    public static int keyLength(long record) {
        return MemoryUtil.getInt(record + KEY_LENGTH);
    }

    /**
     * Forgets all groups; expects the same number again.
     *
     * @param maxGroups how many there can be
     */
    public void clear(int maxGroups) {
        int expected = Math.min(groups, maxGroups);
        groups = 0;
        slots.clear(expected);
        if (recordBuffer == null) {
            useRecords(Math.max(MIN_RECORDS, expected));
        }
    }

    /**
     * The record of a key and a slice, which is made if there is none; 0 if the bytes are not a key.
     *
     * @param key where it is; 16 bytes there can be read, and those of the key stay until the next batch
     */
    public long find(long key, int lengthBytes, long slice) {
        long word0 = ended(MemoryUtil.getLong(key), lengthBytes);
        long word1 = ended(MemoryUtil.getLong(key + Long.BYTES), lengthBytes - Long.BYTES);
        return find(word0, word1, key, lengthBytes, slice);
    }

    /**
     * The same for a key of which no byte after its end can be read.
     *
     * @param word0 its first eight bytes, after its end the same as of all keys
     * @param word1 the next eight, likewise
     */
    long find(long word0, long word1, long key, int lengthBytes, long slice) {
        return probe(
                hash.hash(word0, word1, key, lengthBytes, slice),
                word0,
                word1,
                key,
                lengthBytes,
                slice);
    }

    /** The number whose record it is, in a table of numbers. */
    static int number(long record) {
        return MemoryUtil.getInt(record + NUMBER);
    }

    /**
     * Finds the groups of rows in a table of numbers, and makes those that there are not. A loop of its own
     * costs half of a call for each row.
     *
     * @param numbers where the rows' keys are, 32 bits each
     * @param slices where their slices are, 64 bits each
     * @param groupOf gets the group of each row
     * @param firstRows gets the first row of each group
     */
    void findAll(int rows, long numbers, long slices, int[] groupOf, int[] firstRows) {
        for (int row = 0; row < rows; row++) {
            int number = MemoryUtil.getInt(numbers + (long) Integer.BYTES * row);
            long slice = MemoryUtil.getLong(slices + (long) Long.BYTES * row);
            long slot = slots.first(hash.ofNumber(number, slice));
            long record = records + slots.recordBytes(slot);
            while (record != records
                    && (number(record) != number
                            || MemoryUtil.getLong(record + NUMBER_SLICE) != slice)) {
                slot = slots.next(slot);
                record = records + slots.recordBytes(slot);
            }
            if (record == records) {
                firstRows[groups] = row;
                record = addNumber(slot, number, slice);
            }
            groupOf[row] = MemoryUtil.getInt(record + NUMBER_GROUP);
        }
    }

    private long addNumber(long slot, int number, long slice) {
        long record = nextRecord();
        MemoryUtil.putInt(record + NUMBER, number);
        MemoryUtil.putInt(record + NUMBER_GROUP, groups);
        MemoryUtil.putLong(record + NUMBER_SLICE, slice);
        added(slot, record);
        return record;
    }

    /** The first bytes of a word, and the separator after them. */
    private long ended(long word, int count) {
        if (count < 0 || count >= Long.BYTES) {
            return count < 0 ? 0 : word;
        }
        return word & (1L << 8 * count) - 1 | (long) separator << 8 * count;
    }

    /**
     * The record of a key of less than 16 bytes, in a table without slices; 0 if it is not near where it
     * is searched first. A key's words give its length, as only its separator is after it.
     *
     * @param word0 the key's first eight bytes; after its end the separator, then zeros
     * @param word1 the next eight, likewise; 0 if the separator is in the first
     */
    public long peek(long word0, long word1) {
        long slot = slots.first(hash.shortHash(word0, word1));
        long record = records + slots.recordBytes(slot);
        if (differences(record, word0, word1) == 0) {
            return record;
        }
        record = records + slots.recordBytes(slots.next(slot));
        return differences(record, word0, word1) == 0 ? record : 0;
    }

    private static long differences(long record, long word0, long word1) {
        return MemoryUtil.getLong(record + KEY_WORD_0) ^ word0
                | MemoryUtil.getLong(record + KEY_WORD_1) ^ word1;
    }

    private static boolean hasKey(
            long record, long word0, long word1, int lengthBytes, long slice) {
        return differences(record, word0, word1) == 0
                && MemoryUtil.getLong(record + SLICE) == slice
                && MemoryUtil.getInt(record + KEY_LENGTH) == lengthBytes;
    }

    private long probe(long hashed, long word0, long word1, long key, int lengthBytes, long slice) {
        long slot = slots.first(hashed);
        for (int probes = 0; probes <= MAX_PROBES || hash.isHard(); probes++) {
            long record = records + slots.recordBytes(slot);
            if (record == records) {
                return keys.isKey(key, lengthBytes)
                        ? add(slot, word0, word1, key, lengthBytes, slice)
                        : 0;
            }
            if (hasKey(record, word0, word1, lengthBytes, slice)
                    && (lengthBytes <= SHORT_KEY
                            || Bytes.equal(key, keyAddress(record), lengthBytes))) {
                return record;
            }
            slot = slots.next(slot);
        }
        hash.harden();
        slots.clear();
        fillSlots();
        return find(word0, word1, key, lengthBytes, slice);
    }

    private long add(long slot, long word0, long word1, long key, int lengthBytes, long slice) {
        long record = nextRecord();
        MemoryUtil.putLong(record + KEY_WORD_0, word0);
        MemoryUtil.putLong(record + KEY_WORD_1, word1);
        MemoryUtil.putLong(record + keyAddressAt, key);
        MemoryUtil.putInt(record + KEY_LENGTH, lengthBytes);
        MemoryUtil.putInt(record + GROUP, groups);
        MemoryUtil.putLong(record + SLICE, slice);
        for (int i = 0; i < emptyValues.length; i++) {
            MemoryUtil.putLong(record + VALUES + 8L * i, emptyValues[i]);
        }
        added(slot, record);
        return record;
    }

    private long nextRecord() {
        if (groups == capacity) {
            useRecords(2 * capacity);
        }
        return record(groups);
    }

    private void added(long slot, long record) {
        groups++;
        slots.put(slot, record - records);
        if (slots.isHalfFull(groups)) {
            slots.clear(groups);
            fillSlots();
        }
    }

    /** Hashes all keys anew. */
    private void fillSlots() {
        for (int group = 0; group < groups; group++) {
            long record = record(group);
            slots.add(hash(record), record - records);
        }
    }

    private long hash(long record) {
        if (isOfNumbers) {
            return hash.ofNumber(number(record), slice(record));
        }
        return hash.hash(
                MemoryUtil.getLong(record + KEY_WORD_0),
                MemoryUtil.getLong(record + KEY_WORD_1),
                keyAddress(record),
                keyLength(record),
                slice(record));
    }

    private void useRecords(int count) {
        if (recordBytes * (count + 1L) > BatchSlots.MAX_RECORD_BYTES) {
            throw new OutOfMemoryException(
                    "the groups of a batch have at most 32 GiB: groups="
                            + count
                            + ", bytes of each="
                            + recordBytes
                            + "; make batches smaller");
        }
        ArrowBuf buffer = allocator.buffer(recordBytes * (count + 1L));
        long first = buffer.memoryAddress();
        if (recordBuffer != null) {
            MemoryUtil.copyMemory(records, first, recordBytes * (groups + 1L));
            recordBuffer.close();
        }
        recordBuffer = buffer;
        records = first;
        if (!isOfNumbers) {
            MemoryUtil.putLong(records + KEY_WORD_0, NO_KEY);
            MemoryUtil.putLong(records + KEY_WORD_1, NO_KEY);
            MemoryUtil.putInt(records + KEY_LENGTH, (int) NO_KEY);
        }
        long bytes = Math.min(buffer.capacity(), BatchSlots.MAX_RECORD_BYTES);
        capacity = (int) Math.min(Integer.MAX_VALUE / 2, bytes / recordBytes - 1);
    }

    /** Gives back what is large. */
    public void trim() {
        if (slots.capacityBytes() + recordBuffer.capacity() > KEPT_BYTES) {
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
        slots.close();
        if (recordBuffer != null) {
            recordBuffer.close();
            recordBuffer = null;
        }
    }
}
