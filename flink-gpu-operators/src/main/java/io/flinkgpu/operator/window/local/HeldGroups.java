package io.flinkgpu.operator.window.local;

import io.flinkgpu.api.ValueSpec;
import io.flinkgpu.column.RowValues;
import io.flinkgpu.groups.GroupCursor;
import io.flinkgpu.groups.GroupSource;
import io.flinkgpu.groups.GroupTable;
import io.flinkgpu.groups.GroupTables;
import io.flinkgpu.groups.KeyBytes;
import io.flinkgpu.groups.KeyCodec;
import io.flinkgpu.operator.window.WindowShape;

import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.OutOfMemoryException;

import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;

/**
 * Groups that wait to be sent, in a table for each slice, so that rows of a key become one group
 * however many batches they come in. All are sent when there is no memory for another; what does not fit
 * even then is sent by itself. Not for sessions. Task thread only.
 *
 * @param <K> the key
 */
final class HeldGroups<K> implements AutoCloseable {

    private static final int RECENT = 64;
    private static final long SPREAD = 0x9e3779b97f4a7c15L;

    private final WindowShape shape;
    private final GroupTables tables;
    private final KeyCodec<K> codec;
    private final LocalOutput<K, ?> output;
    private final BufferAllocator allocator;
    private final KeyBytes bytes = new KeyBytes();
    private final KeyBytes sent = new KeyBytes();
    private final Map<Long, Slice> slices = new HashMap<>();

    /** Some of the slices, each at a place that its start gives. */
    private final Slice[] recent = new Slice[RECENT];

    private long threshold = Long.MAX_VALUE;

    /** Rows since groups were sent the last time. */
    private long rows;

    /**
     * @param output where groups are sent
     * @param allocator of the tables, with their limit; owned from here on
     */
    HeldGroups(
            WindowShape shape,
            List<ValueSpec> values,
            KeyCodec<K> codec,
            LocalOutput<K, ?> output,
            BufferAllocator allocator) {
        this.shape = shape;
        this.tables = new GroupTables(allocator, values);
        this.codec = codec;
        this.output = output;
        this.allocator = allocator;
    }

    /**
     * Adds a row of a slice to its group.
     *
     * @param row of which columns may be null afterwards
     * @return whether the group is new
     */
    boolean add(K key, long start, long end, RowValues row) {
        codec.write(key, bytes);
        int next = 0;
        boolean isNew = false;
        for (boolean emptied = false; ; emptied = true) {
            try {
                GroupTable table = slice(start, end).table;
                int group = table.find(bytes.array(), 0, bytes.length());
                if (group < 0) {
                    group = table.group(bytes.array(), 0, bytes.length(), output.keyGroup(key));
                    isNew = true;
                }
                for (; next < table.columns(); next++) {
                    if (!row.isNull(next)) {
                        table.add(group, next, row);
                    }
                }
                rows++;
                return isNew;
            } catch (OutOfMemoryException e) {
                if (emptied) {
                    sendRest(key, start, end, row, next);
                    return isNew;
                }
                // The columns that were added go with the groups that are sent.
                sendAll();
            }
        }
    }

    /**
     * Adds a group of a slice.
     *
     * @return whether there was none of its key
     */
    boolean merge(int keyGroup, KeyBytes key, long start, long end, GroupSource group) {
        for (boolean emptied = false; ; emptied = true) {
            try {
                GroupTable table = slice(start, end).table;
                int before = table.size();
                table.merge(table.group(key.array(), 0, key.length(), keyGroup), group);
                return table.size() > before;
            } catch (OutOfMemoryException e) {
                if (emptied) {
                    output.group(keyGroup, key, start, end, group);
                    output.flush();
                    return true;
                }
                sendAll();
            }
        }
    }

    /** Counts rows whose groups were added. */
    void countRows(int more) {
        rows += more;
    }

    /** Sends the groups of all slices whose thresholds this watermark reaches. */
    void send(long watermark) {
        if (slices.isEmpty() || watermark < threshold) {
            return;
        }
        threshold = Long.MAX_VALUE;
        for (Iterator<Slice> all = slices.values().iterator(); all.hasNext(); ) {
            Slice slice = all.next();
            if (slice.threshold <= watermark) {
                send(slice);
                all.remove();
            } else {
                threshold = Math.min(threshold, slice.threshold);
            }
        }
        countSent();
    }

    /** Sends all groups. */
    void sendAll() {
        send(Long.MAX_VALUE);
    }

    /** Sends a row without its first columns, which have been added. */
    private void sendRest(K key, long start, long end, RowValues row, int added) {
        for (int column = 0; column < added; column++) {
            row.putNull(column);
        }
        output.row(key, start, end, shape.threshold(start, end), row);
    }

    private void send(Slice slice) {
        GroupCursor groups = slice.table.cursor();
        while (groups.next()) {
            groups.key(sent);
            output.group(groups.keyGroup(), sent, slice.start, slice.end, groups);
        }
        slice.table.close();
        int place = place(slice.start);
        if (recent[place] == slice) {
            recent[place] = null;
        }
    }

    private void countSent() {
        output.flush();
        output.grouped(rows);
        rows = 0;
    }

    private Slice slice(long start, long end) {
        Slice slice = recent[place(start)];
        return slice != null && slice.start == start ? slice : findSlice(start, end);
    }

    private Slice findSlice(long start, long end) {
        Slice slice = slices.get(start);
        if (slice == null) {
            slice = new Slice(start, end, shape.threshold(start, end), tables.newTable());
            slices.put(start, slice);
            threshold = Math.min(threshold, slice.threshold);
        }
        recent[place(start)] = slice;
        return slice;
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
}
