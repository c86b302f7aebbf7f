package io.flinkgpu.backend.cpu.lines.group;

import io.flinkgpu.api.lines.Field;
import io.flinkgpu.backend.cpu.aggregate.BatchTable;
import io.flinkgpu.backend.cpu.bytes.Bytes;
import io.flinkgpu.backend.cpu.bytes.CodePoints;
import io.flinkgpu.backend.plan.LinePlan;
import io.flinkgpu.backend.plan.TimeSlices;
import io.flinkgpu.parse.LineParser;

import org.apache.flink.annotation.Internal;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.util.MemoryUtil;

import java.util.Arrays;

/**
 * Takes the fields of one line after the other into the groups of a batch, or writes them as they are;
 * reads the lines that a scanner is not sure of, and remembers which are refused. Not thread-safe.
 */
@Internal
public final class LineGrouper {

    /** The words of the line's fields: integers, or the bits of doubles. */
    final long[] words;

    /** Which of the line's numbers have no value. */
    final boolean[] nulls;

    private final BatchTable table;
    private final LineValues values;
    private final UngroupedWriter ungrouped;
    private final ByteArena arena;
    private final LineParser parser;
    private final Field[] fields;
    private final int keyField;

    /** The field of each value. */
    private final int[] valueFields;

    private final TimeSlices time;
    private boolean groups = true;

    /** The slice of the last line. */
    private long slice;

    private byte[] line = new byte[256];
    private long firstByte;
    private int[] refused = new int[16];
    private int refusedCount;
    private long lines;
    private long maxTimestamp;

    public LineGrouper(
            LinePlan plan,
            BatchTable table,
            LineValues values,
            UngroupedWriter ungrouped,
            ByteArena arena) {
        this.table = table;
        this.values = values;
        this.ungrouped = ungrouped;
        this.arena = arena;
        this.parser = new LineParser(plan.format());
        this.fields = plan.format().fields().toArray(new Field[0]);
        this.keyField = plan.key();
        this.valueFields = plan.valueFields().stream().mapToInt(Integer::intValue).toArray();
        this.time = plan.time();
        this.words = new long[fields.length];
        this.nulls = new boolean[fields.length];
    }

    /** Begins a batch. */
    public void clear() {
        refusedCount = 0;
        lines = 0;
        maxTimestamp = Long.MIN_VALUE;
        slice = time == null ? TimeSlices.NONE : time.sliceOf(0);
    }

    /** Says where the batch's first byte is, or would be if all of it were where the next lines are. */
    public void setFirstByte(long address) {
        firstByte = address;
    }

    /** What {@link #setFirstByte} has set. */
    public long firstByte() {
        return firstByte;
    }

    /**
     * Sets whether the next lines are grouped. If not, they are written as they are, if their keys are in
     * the batch; and 16 bytes after each can be read there.
     */
    public void setGroups(boolean areGrouped) {
        groups = areGrouped;
    }

    /** Counts lines. */
    public void count(long more) {
        lines += more;
    }

    /**
     * Adds the line of which the words and nulls are set.
     *
     * @return whether its key is one
     */
    boolean add(long key, int keyBytes) {
        long timestamp = time == null ? 0 : words[time.field()];
        if (time != null) {
            // In the order of time, or nearly, a division a line is not needed.
            long distance = timestamp - slice;
            if (distance < 0 || distance >= time.sliceMillis()) {
                slice = time.sliceOf(timestamp);
            }
        }
        boolean isAdded = groups ? group(key, keyBytes) : write(key, keyBytes);
        if (isAdded && time != null) {
            maxTimestamp = Math.max(maxTimestamp, timestamp);
        }
        return isAdded;
    }

    private boolean group(long key, int keyBytes) {
        long record = table.find(key, keyBytes, slice);
        if (record == 0) {
            return false;
        }
        values.add(record, words, nulls);
        return true;
    }

    private boolean write(long key, int keyBytes) {
        if (!ungrouped.layout().hasNulls() && hasNull()) {
            return group(key, keyBytes);
        }
        if (!isKey(key, keyBytes)) {
            return false;
        }
        ungrouped.add((int) (key - firstByte), keyBytes, slice, valueFields, words, nulls);
        return true;
    }

    /** Whether bytes are a key: UTF-8 without a line's end. */
    public static boolean isKey(long key, int lengthBytes) {
        return Bytes.indexOf(key, lengthBytes, '\n') < 0
                && CodePoints.areValid(key, key + lengthBytes);
    }

    private boolean hasNull() {
        for (int field : valueFields) {
            if (nulls[field]) {
                return true;
            }
        }
        return false;
    }

    /**
     * Reads a line that nobody was sure of, and adds or refuses it.
     *
     * @param end where lines end at the latest
     * @return where the next line starts
     */
    long read(long start, long end) {
        int length = Bytes.indexOf(start, (int) (end - start), '\n');
        if (line.length < length) {
            line = new byte[Math.max(length, 2 * line.length)];
        }
        MemoryUtil.copyFromMemory(start, line, 0, length);
        if (parser.parse(line, 0, length) == null) {
            addParsed();
        } else {
            refuse((int) (start - firstByte));
        }
        return start + length + 1;
    }

    private void addParsed() {
        for (int i = 0; i < fields.length; i++) {
            words[i] = parser.word(i);
            nulls[i] = parser.isNull(i);
        }
        byte[] key = parser.text(keyField);
        long address = arena.copy(key);
        int groupsBefore = table.groups();
        // The batch may not have the key as it was read, but with quotes in it.
        boolean areGrouped = groups;
        groups = true;
        if (!add(address, key.length)) {
            throw new IllegalStateException("a key that was read is UTF-8: bytes=" + key.length);
        }
        groups = areGrouped;
        if (table.groups() == groupsBefore) {
            arena.giveBack(address);
        }
    }

    private void refuse(int start) {
        if (refusedCount == refused.length) {
            refused = Arrays.copyOf(refused, 2 * refusedCount);
        }
        refused[refusedCount++] = start;
    }

    public long lines() {
        return lines;
    }

    public long maxTimestamp() {
        return maxTimestamp;
    }

    public int refused() {
        return refusedCount;
    }

    /** Where the refused lines start, ascending; the caller's to close. */
    public ArrowBuf refusedStarts(BufferAllocator allocator) {
        Arrays.sort(refused, 0, refusedCount);
        ArrowBuf starts = allocator.buffer(Math.max(1, 4L * refusedCount));
        for (int i = 0; i < refusedCount; i++) {
            MemoryUtil.putInt(starts.memoryAddress() + 4L * i, refused[i]);
        }
        return starts;
    }
}
