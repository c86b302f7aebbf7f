package io.flinkgpu.backend.cpu.aggregate;

import org.apache.arrow.memory.util.MemoryUtil;

import java.util.Arrays;

/** Groups rows by a number and a slice. */
final class IdGroups extends GroupTable {

    /** 2^64 by the golden ratio: numbers in a row fall as far from each other as can be. */
    private static final long ID_FACTOR = 0x9e3779b97f4a7c15L;

    private final long idFactor;
    private final long sliceFactor;
    private int[] ids = new int[64];

    /**
     * @param sliceFactor odd and random, so that nobody can choose slices that collide:
     *     multiply-shift hashing of M. Dietzfelbinger et al., "A Reliable Randomized Algorithm for the
     *     Closest-Pair Problem" (J. Algorithms 25, 1997). Ids need no such protection: the caller
     *     counts them.
     */
    IdGroups(long sliceFactor) {
        this(ID_FACTOR, sliceFactor);
    }

    IdGroups(long idFactor, long sliceFactor) {
        this.idFactor = idFactor;
        this.sliceFactor = sliceFactor;
    }

    int id(int group) {
        return ids[group];
    }

    /** Writes the group of each row to {@code groupOf}. */
    void group(int rows, long idAddress, long sliceAddress, int[] groupOf) {
        clear(rows);
        for (int row = 0; row < rows; row++) {
            groupOf[row] =
                    find(
                            row,
                            MemoryUtil.getInt(idAddress + 4L * row),
                            MemoryUtil.getLong(sliceAddress + 8L * row));
        }
    }

    private int find(int row, int id, long slice) {
        long hash = id * idFactor + slice * sliceFactor;
        int slot = (int) (hash >>> shift);
        int group;
        while ((group = slots[slot] - 1) >= 0) {
            if (ids[group] == id && slices[group] == slice) {
                return group;
            }
            slot = (slot + 1) & mask;
        }
        group = add(slot, hash, slice, row);
        if (group == ids.length) {
            ids = Arrays.copyOf(ids, 2 * group);
        }
        ids[group] = id;
        return group;
    }
}
