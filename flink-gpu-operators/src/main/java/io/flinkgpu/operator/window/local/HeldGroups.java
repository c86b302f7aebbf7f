package io.flinkgpu.operator.window.local;

import io.flinkgpu.api.ValueSpec;
import io.flinkgpu.column.RowValues;
import io.flinkgpu.groups.GroupCursor;
import io.flinkgpu.groups.GroupSource;
import io.flinkgpu.groups.GroupTable;
import io.flinkgpu.groups.GroupTables;
import io.flinkgpu.groups.KeyBytes;
import io.flinkgpu.operator.window.WindowShape;

import org.apache.flink.annotation.Internal;

import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.OutOfMemoryException;
import org.apache.arrow.memory.RootAllocator;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntSupplier;

/**
 * Groups that wait to be sent, in a table for each slice, so that rows of a key become one group
 * however many batches they come in. All are sent when there is no memory for another; what does not fit
 * even then is sent by itself. Not for sessions. Task thread only.
 */
@Internal
public final class HeldGroups implements AutoCloseable {

    /** Columns of a row that were added. */
    public static final int ALL = -1;

    private static final int RECENT = 64;
    private static final long SPREAD = 0x9e3779b97f4a7c15L;

    private final WindowShape shape;
    private final GroupTables tables;
    private final BufferAllocator allocator;
    private final Receiver receiver;
    private final KeyBytes sent = new KeyBytes();

    /** In the order in which they came. */
    private final Map<Long, Slice> slices = new LinkedHashMap<>();

    /** Some of the slices, each at a place that its start gives. */
    private final Slice[] recent = new Slice[RECENT];

    private long leastThreshold = Long.MAX_VALUE;
    private boolean beganGroup;

    /**
     * @param maxBytes what the groups and all that finds them may take
     * @param receiver to which groups are sent
     */
    public HeldGroups(WindowShape shape, List<ValueSpec> values, long maxBytes, Receiver receiver) {
        this.shape = shape;
        this.allocator = new RootAllocator(maxBytes);
        this.tables = new GroupTables(allocator, values);
        this.receiver = receiver;
    }

    /** How many groups there are. */
    int size() {
        return slices.values().stream().mapToInt(slice -> slice.table.size()).sum();
    }

    /**
     * Adds a group of a slice.
     *
     * @param keyGroup of the key
     * @return whether there was none of its key
     */
    public boolean merge(int keyGroup, KeyBytes key, long start, long end, GroupSource group) {
        for (boolean emptied = false; ; emptied = true) {
            try {
                GroupTable table = table(start, end);
                int before = table.size();
                table.merge(table.group(key.array(), 0, key.length(), keyGroup), group);
                return table.size() > before;
            } catch (OutOfMemoryException e) {
                if (emptied) {
                    receiver.group(keyGroup, key, start, end, group);
                    return true;
                }
                sendAll();
            }
        }
    }

    /**
     * Adds a row of a slice to the group of its key.
     *
     * @param keyGroup gives that of the key, if there is no group of it
     * @return {@link #ALL}, or the first column for which there was no memory: with those before it added,
     *     the others are the caller's to send
     */
    public int add(KeyBytes key, IntSupplier keyGroup, long start, long end, RowValues row) {
        int column = 0;
        beganGroup = false;
        for (boolean emptied = false; ; emptied = true) {
            try {
                GroupTable table = table(start, end);
                int group = table.find(key.array(), 0, key.length());
                if (group < 0) {
                    group = table.group(key.array(), 0, key.length(), keyGroup.getAsInt());
                    beganGroup = true;
                }
                for (; column < table.columns(); column++) {
                    if (!row.isNull(column)) {
                        table.add(group, column, row);
                    }
                }
                return ALL;
            } catch (OutOfMemoryException e) {
                if (emptied) {
                    return column;
                }
                // The columns that were added go with the groups that are sent.
                sendAll();
            }
        }
    }

    /** Whether the last row that was added began a group. */
    public boolean beganGroup() {
        return beganGroup;
    }

    /** The groups of a slice, to be added to before anything else is called. */
    public GroupTable table(long start, long end) {
        Slice slice = recent[place(start)];
        return (slice != null && slice.start == start ? slice : slice(start, end)).table;
    }

    private Slice slice(long start, long end) {
        Slice slice = slices.get(start);
        if (slice == null) {
            slice = new Slice(start, end, shape.threshold(start, end), tables.newTable());
            slices.put(start, slice);
            leastThreshold = Math.min(leastThreshold, slice.threshold);
        }
        recent[place(start)] = slice;
        return slice;
    }

    /**
     * Sends and forgets the groups of all slices whose thresholds this watermark reaches.
     *
     * @return whether there was such a slice
     */
    public boolean send(long watermark) {
        if (leastThreshold > watermark || slices.isEmpty()) {
            return false;
        }
        leastThreshold = Long.MAX_VALUE;
        for (Iterator<Slice> all = slices.values().iterator(); all.hasNext(); ) {
            Slice slice = all.next();
            if (slice.threshold <= watermark) {
                send(slice);
                all.remove();
            } else {
                leastThreshold = Math.min(leastThreshold, slice.threshold);
            }
        }
        return true;
    }

    /** Sends and forgets all groups. */
    public void sendAll() {
        send(Long.MAX_VALUE);
    }

    private void send(Slice slice) {
        GroupCursor groups = slice.table.cursor();
        while (groups.next()) {
            groups.key(sent);
            receiver.group(groups.keyGroup(), sent, slice.start, slice.end, groups);
        }
        slice.table.close();
        int place = place(slice.start);
        if (recent[place] == slice) {
            recent[place] = null;
        }
    }

    private static int place(long start) {
        return (int) (start * SPREAD >>> Long.SIZE - Integer.numberOfTrailingZeros(RECENT));
    }

    /** Sends nothing; gives all memory back. */
    @Override
    public void close() {
        slices.values().forEach(slice -> slice.table.close());
        slices.clear();
        allocator.close();
    }

    private record Slice(long start, long end, long threshold, GroupTable table) {}

    /** Takes groups, which are valid until it returns. */
    @FunctionalInterface
    public interface Receiver {

        void group(int keyGroup, KeyBytes key, long start, long end, GroupSource group);
    }
}
