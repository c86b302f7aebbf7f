package io.flinkgpu.backend.cpu.aggregate;

import io.flinkgpu.backend.cpu.bytes.Bytes;
import io.flinkgpu.column.TextView;

import org.apache.arrow.memory.util.MemoryUtil;

/** Groups rows by bytes and a slice. Rows of a group always have the same bytes, whatever the hash. */
final class ByteGroups extends GroupTable {

    private final KeyHash keyHash;
    private final long sliceFactor;

    /**
     * @param sliceFactor random and odd, see {@link IdGroups}
     */
    ByteGroups(KeyHash keyHash, long sliceFactor) {
        this.keyHash = keyHash;
        this.sliceFactor = sliceFactor;
    }

    /** Writes the group of each row to {@code groupOf}. */
    void group(TextView keys, long sliceAddress, int[] groupOf) {
        clear(keys.rows());
        for (int row = 0; row < keys.rows(); row++) {
            groupOf[row] = find(keys, row, MemoryUtil.getLong(sliceAddress + 8L * row));
        }
    }

    private int find(TextView keys, int row, long slice) {
        int start = keys.start(row);
        int length = keys.end(row) - start;
        long key = keys.dataAddress() + start;
        long hash = keyHash.hash(key, length) + slice * sliceFactor;
        int slot = (int) (hash >>> shift);
        int group;
        while ((group = slots[slot] - 1) >= 0) {
            if (hashes[group] == hash
                    && slices[group] == slice
                    && isKeyOf(keys, firstRow(group), key, length)) {
                return group;
            }
            slot = (slot + 1) & mask;
        }
        return add(slot, hash, slice, row);
    }

    private static boolean isKeyOf(TextView keys, int row, long key, int length) {
        int start = keys.start(row);
        return keys.end(row) - start == length
                && Bytes.equal(key, keys.dataAddress() + start, length);
    }
}
