package io.flinkgpu.operator.lines;

import io.flinkgpu.api.ValueSpec;
import io.flinkgpu.backend.plan.GroupedBatch;
import io.flinkgpu.groups.PartialSource;
import io.flinkgpu.operator.window.BatchGroup;
import io.flinkgpu.state.Partial;

import org.apache.arrow.memory.util.MemoryUtil;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Partials by key and slice that wait to be sent. An open-addressed table by a seeded hash of the key's
 * bytes; a group that is there already is found and merged into without an allocation. Task thread only.
 */
final class PartialBuffer {

    private static final VarHandle LONGS =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());
    private static final long SPREAD = 0x9e3779b97f4a7c15L;
    private static final int FIRST_GROUPS = 512;

    private final BatchGroup source = new BatchGroup();
    private final int columns;
    private final Partial none;
    private final int maxGroups;
    private final long maxKeyBytes;
    private final long seed = ThreadLocalRandom.current().nextLong() | 1;

    private byte[][] keys = new byte[FIRST_GROUPS][];
    private Partial[] values = new Partial[FIRST_GROUPS];
    private long[] slices = new long[FIRST_GROUPS];
    private long[] thresholds = new long[FIRST_GROUPS];
    private long[] hashes = new long[FIRST_GROUPS];

    /** The group of each slot and one more; 0 where there is none. */
    private int[] slots = new int[2 * FIRST_GROUPS];

    private int groups;
    private long keyBytes;
    private long leastThreshold = Long.MAX_VALUE;

    /**
     * @param maxGroups how many to hold
     * @param maxKeyBytes of how many bytes their keys are to be in all
     */
    PartialBuffer(List<ValueSpec> specs, int maxGroups, long maxKeyBytes) {
        this.columns = specs.size();
        this.none = new Partial(specs);
        this.maxGroups = maxGroups;
        this.maxKeyBytes = maxKeyBytes;
    }

    int size() {
        return groups;
    }

    /** Whether all should be sent before another is added. */
    boolean isFull() {
        return groups >= maxGroups || keyBytes >= maxKeyBytes;
    }

    /** The least threshold of all held; {@code Long.MAX_VALUE} if none is. */
    long leastThreshold() {
        return leastThreshold;
    }

    /**
     * Adds a group of a batch.
     *
     * @param key where its bytes are; they are copied if the group is new
     * @param threshold the watermark before which it must be sent; the same for each group of a slice
     */
    void add(long key, int lengthBytes, long slice, long threshold, GroupedBatch batch, int group) {
        PartialSource.add(
                source.open(batch).move(group),
                columns,
                partial(key, lengthBytes, slice, threshold));
    }

    /** Sends and forgets all groups whose thresholds are at most this. */
    void drain(long threshold, Receiver receiver) throws Exception {
        if (groups == 0 || leastThreshold > threshold) {
            return;
        }
        int kept = 0;
        long keptKeyBytes = 0;
        leastThreshold = Long.MAX_VALUE;
        for (int i = 0; i < groups; i++) {
            if (thresholds[i] <= threshold) {
                String key = new String(keys[i], StandardCharsets.UTF_8);
                receiver.send(key, slices[i], values[i]);
            } else {
                keys[kept] = keys[i];
                values[kept] = values[i];
                slices[kept] = slices[i];
                thresholds[kept] = thresholds[i];
                hashes[kept] = hashes[i];
                keptKeyBytes += keys[kept].length;
                leastThreshold = Math.min(leastThreshold, thresholds[kept]);
                kept++;
            }
        }
        Arrays.fill(keys, kept, groups, null);
        Arrays.fill(values, kept, groups, null);
        groups = kept;
        keyBytes = keptKeyBytes;
        fillSlots();
    }

    private Partial partial(long key, int length, long slice, long threshold) {
        long hash = hash(key, length, slice);
        int mask = slots.length - 1;
        int slot = (int) (hash >>> 32) & mask;
        int found;
        while ((found = slots[slot] - 1) >= 0) {
            if (hashes[found] == hash
                    && slices[found] == slice
                    && isEqual(key, length, keys[found])) {
                return values[found];
            }
            slot = (slot + 1) & mask;
        }
        if (groups == keys.length) {
            grow();
            mask = slots.length - 1;
            slot = freeSlot(hash);
        }
        byte[] copy = new byte[length];
        MemoryUtil.copyFromMemory(key, copy, 0, length);
        Partial partial = none.copy();
        keys[groups] = copy;
        values[groups] = partial;
        slices[groups] = slice;
        thresholds[groups] = threshold;
        hashes[groups] = hash;
        slots[slot] = ++groups;
        keyBytes += length;
        leastThreshold = Math.min(leastThreshold, threshold);
        return partial;
    }

    private void grow() {
        int size = 2 * keys.length;
        keys = Arrays.copyOf(keys, size);
        values = Arrays.copyOf(values, size);
        slices = Arrays.copyOf(slices, size);
        thresholds = Arrays.copyOf(thresholds, size);
        hashes = Arrays.copyOf(hashes, size);
        slots = new int[2 * size];
        fillSlots();
    }

    private void fillSlots() {
        Arrays.fill(slots, 0);
        for (int i = 0; i < groups; i++) {
            slots[freeSlot(hashes[i])] = i + 1;
        }
    }

    private int freeSlot(long hash) {
        int mask = slots.length - 1;
        int slot = (int) (hash >>> 32) & mask;
        while (slots[slot] != 0) {
            slot = (slot + 1) & mask;
        }
        return slot;
    }

    private long hash(long key, int length, long slice) {
        long hash = seed ^ slice * SPREAD ^ length;
        int i = 0;
        for (; i + Long.BYTES <= length; i += Long.BYTES) {
            hash = mix(hash ^ MemoryUtil.getLong(key + i));
        }
        long rest = 0;
        for (; i < length; i++) {
            rest = rest << Byte.SIZE | MemoryUtil.getByte(key + i) & 0xff;
        }
        return mix(hash ^ rest);
    }

    /** Both halves of the product take part, so that no bit of the word is lost. */
    private long mix(long word) {
        long odd = seed;
        return Math.multiplyHigh(word, odd) ^ word * odd ^ word >>> 29;
    }

    private static boolean isEqual(long key, int length, byte[] other) {
        if (other.length != length) {
            return false;
        }
        int i = 0;
        for (; i + Long.BYTES <= length; i += Long.BYTES) {
            if (MemoryUtil.getLong(key + i) != (long) LONGS.get(other, i)) {
                return false;
            }
        }
        for (; i < length; i++) {
            if (MemoryUtil.getByte(key + i) != other[i]) {
                return false;
            }
        }
        return true;
    }

    /** Takes groups over. */
    @FunctionalInterface
    interface Receiver {

        void send(String key, long slice, Partial partial) throws Exception;
    }
}
