package io.flinkgpu.operator.lines;

import io.flinkgpu.backend.plan.UngroupedLines;
import io.flinkgpu.column.RowValues;
import io.flinkgpu.column.TextView;
import io.flinkgpu.groups.GroupTable;
import io.flinkgpu.groups.KeyBatch;
import io.flinkgpu.groups.KeyBytes;
import io.flinkgpu.groups.TextHash;
import io.flinkgpu.operator.window.local.BlockOutput;
import io.flinkgpu.operator.window.local.HeldGroups;

import org.apache.flink.types.Row;

import org.apache.arrow.memory.OutOfMemoryException;

/**
 * The way of the lines that a backend did not group: to the groups that are held if enough of them have one
 * there, else to the blocks. A batch has few lines of many keys, but those of all batches may be many of
 * each. Task thread only.
 */
final class UngroupedOutput {

    private final HeldGroups held;
    private final BlockOutput<String, Row> blocks;
    private final HoldingChoice choice = new HoldingChoice();
    private final KeyBatch keys = new KeyBatch();
    private final KeyBytes key = new KeyBytes();
    private final RowValues values;

    /** Whether there was no memory for another group: lines of other keys are sent. */
    private boolean isFull;

    private long slice;
    private long sliceEnd;
    private int sent;

    /**
     * @param values how many a line has
     */
    UngroupedOutput(HeldGroups held, BlockOutput<String, Row> blocks, int values) {
        this.held = held;
        this.blocks = blocks;
        this.values = new RowValues(values);
    }

    /**
     * Adds lines of one slice.
     *
     * @param text of their batch
     * @return how many of them are in blocks now
     */
    int add(
            UngroupedLines lines,
            TextView text,
            int first,
            int end,
            long lineSlice,
            long lineSliceEnd) {
        slice = lineSlice;
        sliceEnd = lineSliceEnd;
        sent = 0;
        for (int next = first; next < end; ) {
            int nextEnd = Math.min(end, next + KeyBatch.MAX_KEYS);
            if (choice.holds()) {
                hold(lines, text, next, nextEnd);
            } else {
                for (int line = next; line < nextEnd; line++) {
                    long address = keyAddress(lines, text, line);
                    key.setPadded(address, lines.keyLength(line));
                    send(lines, line, 0, TextHash.of(key, address));
                }
                choice.sent(nextEnd - next);
            }
            next = nextEnd;
        }
        return sent;
    }

    /** Notes that groups that were held have been sent. */
    void groupsSent() {
        choice.groupsSent();
        isFull = false;
    }

    private static long keyAddress(UngroupedLines lines, TextView text, int line) {
        return text.dataAddress() + lines.keyStart(line);
    }

    private void hold(UngroupedLines lines, TextView text, int first, int end) {
        keys.clear();
        for (int line = first; line < end; line++) {
            keys.add(keyAddress(lines, text, line), lines.keyLength(line));
        }
        GroupTable table = held.table(slice, sliceEnd);
        keys.touch(table);
        int found = 0;
        for (int i = 0; first + i < end; i++) {
            int group = keys.find(table, i);
            if (group >= 0) {
                found++;
            } else {
                group = newGroup(table, i);
            }
            if (group < 0) {
                sendKey(lines, first + i, i, 0);
                continue;
            }
            int added = add(lines, first + i, table, group);
            if (added < values.columns()) {
                sendKey(lines, first + i, i, added);
                sendHeld();
                table = held.table(slice, sliceEnd);
            }
        }
        choice.held(end - first, found, isFull);
        if (isFull && !choice.holds()) {
            sendHeld();
        }
    }

    private void sendHeld() {
        held.sendAll();
        groupsSent();
    }

    /** The group of a key that has none; -1 if there is no room. */
    private int newGroup(GroupTable table, int of) {
        if (isFull) {
            return -1;
        }
        try {
            return keys.group(table, of, blocks.keyGroupOfHash(keys.textHash(of)));
        } catch (OutOfMemoryException e) {
            isFull = true;
            return -1;
        }
    }

    /** Adds a line to a group; gives how many of its values were, which are all unless there is no memory. */
    private int add(UngroupedLines lines, int line, GroupTable table, int group) {
        int value = 0;
        try {
            for (; value < values.columns(); value++) {
                if (!lines.isNull(line, value)) {
                    table.add(group, value, lines.word(line, value));
                }
            }
        } catch (OutOfMemoryException e) {
            return value;
        }
        return value;
    }

    private void sendKey(UngroupedLines lines, int line, int of, int added) {
        keys.copy(of, key);
        send(lines, line, added, keys.textHash(of));
    }

    /** Sends a line of the key that was set, without the first values, which have been added to its group. */
    private void send(UngroupedLines lines, int line, int added, int keyHash) {
        for (int value = 0; value < values.columns(); value++) {
            if (value < added || lines.isNull(line, value)) {
                values.putNull(value);
            } else {
                values.putWord(value, lines.word(line, value));
            }
        }
        blocks.row(blocks.keyGroupOfHash(keyHash), key, slice, sliceEnd, values);
        sent++;
    }
}
