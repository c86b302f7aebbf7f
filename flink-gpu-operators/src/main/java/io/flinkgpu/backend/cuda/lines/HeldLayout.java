package io.flinkgpu.backend.cuda.lines;

import io.flinkgpu.backend.cuda.device.DeviceLayout;

/**
 * Where the arrays of groups that are held lie in one block of device memory.
 *
 * <pre>
 *   | header, bins present | index | records | keys |
 *   |-------- zeroBytes -----------|
 * </pre>
 *
 * @param groups how many there is room for
 * @param keyBytes for how many bytes of their keys
 * @param slots of the index, a power of two
 */
record HeldLayout(
        int groups, long keyBytes, int slots, long index, long records, long keys, long bytes) {

    static final int MAX_GROUPS = 1 << 29;

    /** A key's place has 31 bits, in a record and in the offsets of a column. */
    static final long MAX_KEY_BYTES = Integer.MAX_VALUE - 1L;

    /** That of an empty index that is at most half full in the end. */
    static HeldLayout of(LinesFields fields, int groups, long keyBytes) {
        DeviceLayout block = new DeviceLayout();
        int slots = Integer.highestOneBit(Math.max(1, 2 * groups - 1)) * 2;
        block.array(headerBytes(fields));
        long index = block.array((long) Long.BYTES * slots);
        long records = block.array((long) Long.BYTES * fields.recordWords() * groups);
        long keys = block.array(keyBytes + LinesAbi.LINES_PADDING_BYTES);
        return new HeldLayout(groups, keyBytes, slots, index, records, keys, block.end());
    }

    /** Bytes of the header and what lies after it. */
    static long headerBytes(LinesFields fields) {
        return DeviceLayout.align(LinesAbi.HELD_HEADER_BYTES + 8L * fields.values());
    }

    /** What must be zero before the first groups come. */
    long zeroBytes() {
        return records;
    }

    /** Where a record is. */
    long record(LinesFields fields, int number) {
        return records + (long) Long.BYTES * fields.recordWords() * number;
    }

    /** Whether there is room for all groups of a batch. */
    boolean hasRoom(LinesHeader batch) {
        return batch.groups() <= groups && batch.keyBytes() <= keyBytes;
    }
}
