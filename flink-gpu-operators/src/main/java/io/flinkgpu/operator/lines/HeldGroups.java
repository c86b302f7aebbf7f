package io.flinkgpu.operator.lines;

import io.flinkgpu.api.ValueSpec;
import io.flinkgpu.groups.GroupCursor;
import io.flinkgpu.groups.GroupSource;
import io.flinkgpu.groups.GroupTable;
import io.flinkgpu.groups.GroupTables;
import io.flinkgpu.groups.KeyBytes;

import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.OutOfMemoryException;
import org.apache.arrow.memory.RootAllocator;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Groups by key and slice that wait to be sent, off the heap, within a budget: where another group finds
 * no room, all are sent. Task thread only.
 */
final class HeldGroups implements AutoCloseable {

    private final GroupTables tables;
    private final BufferAllocator allocator;
    private final Receiver receiver;
    private final KeyBytes sentKey = new KeyBytes();

    /** In the order in which they came. */
    private final Map<Long, Slice> slices = new LinkedHashMap<>();

    /** The slice of the last group; null if it was sent. */
    private Slice last;

    private long leastThreshold = Long.MAX_VALUE;

    /**
     * @param maxBytes what the groups and all that finds them may take
     * @param receiver to which groups are sent
     */
    HeldGroups(List<ValueSpec> values, long maxBytes, Receiver receiver) {
        this.allocator = new RootAllocator(maxBytes);
        this.tables = new GroupTables(allocator, values);
        this.receiver = receiver;
    }

    /** How many groups there are. */
    int size() {
        return slices.values().stream().mapToInt(slice -> slice.table.size()).sum();
    }

    /**
     * Adds a group of a batch to what is held.
     *
     * @param keyGroup of the key
     * @param threshold the watermark before which it must be sent; the same for each group of a slice
     */
    void add(KeyBytes key, int keyGroup, long slice, long threshold, GroupSource group) {
        try {
            GroupTable table = slice(slice, threshold).table;
            table.merge(table.group(key.array(), 0, key.length(), keyGroup), group);
        } catch (OutOfMemoryException e) {
            drain(Long.MAX_VALUE);
            receiver.send(key, keyGroup, slice, group);
        }
    }

    private Slice slice(long start, long threshold) {
        if (last != null && last.start == start) {
            return last;
        }
        last = slices.get(start);
        if (last == null) {
            last = new Slice(start, threshold, tables.newTable());
            slices.put(start, last);
            leastThreshold = Math.min(leastThreshold, threshold);
        }
        return last;
    }

    /** Sends and forgets all groups whose thresholds are at most this. */
    void drain(long threshold) {
        if (leastThreshold > threshold) {
            return;
        }
        last = null;
        leastThreshold = Long.MAX_VALUE;
        for (Iterator<Slice> all = slices.values().iterator(); all.hasNext(); ) {
            Slice slice = all.next();
            if (slice.threshold <= threshold) {
                send(slice);
                slice.table.close();
                all.remove();
            } else {
                leastThreshold = Math.min(leastThreshold, slice.threshold);
            }
        }
    }

    private void send(Slice slice) {
        for (GroupCursor group = slice.table.cursor(); group.next(); ) {
            group.key(sentKey);
            receiver.send(sentKey, group.keyGroup(), slice.start, group);
        }
    }

    @Override
    public void close() {
        slices.values().forEach(slice -> slice.table.close());
        slices.clear();
        last = null;
        allocator.close();
    }

    private record Slice(long start, long threshold, GroupTable table) {}

    /** Takes groups, which are valid until it returns. */
    @FunctionalInterface
    interface Receiver {

        void send(KeyBytes key, int keyGroup, long slice, GroupSource group);
    }
}
