package io.flinkgpu.operator.window.local;

import io.flinkgpu.api.ValueSpec;
import io.flinkgpu.column.RowValues;
import io.flinkgpu.groups.BlockWriter;
import io.flinkgpu.groups.GroupBlock;
import io.flinkgpu.groups.GroupSource;
import io.flinkgpu.groups.KeyBytes;
import io.flinkgpu.groups.KeyCodec;
import io.flinkgpu.operator.BatchContext;
import io.flinkgpu.operator.window.WindowInput;

import org.apache.flink.annotation.Internal;
import org.apache.flink.runtime.state.KeyGroupRangeAssignment;
import org.apache.flink.streaming.api.operators.Output;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

import java.util.ArrayList;
import java.util.List;

/**
 * Sends rows and groups to their keys' subtasks in blocks, each of one key group. A block that is full
 * goes at once, the others when {@link #flush()} is called. Task thread only.
 *
 * @param <K> the key
 * @param <T> the record
 */
@Internal
public final class BlockOutput<K, T> {

    /** A full block fits a network buffer or two. */
    private static final int FULL_BYTES = 1 << 15;

    /** Of many key groups blocks are smaller, so that those that are not full take no more than this. */
    private static final int ALL_BYTES = 1 << 22;

    private static final int MIN_FULL_BYTES = 1 << 10;

    /** What the writers are made like; writes nothing. */
    private final BlockWriter model;

    private final KeyCodec<K> codec;
    private final Output<StreamRecord<WindowInput<K, T>>> output;
    private final int fullBytes;
    private final BlockWriter[] writers;

    /** Those that are not empty. */
    private final List<BlockWriter> started = new ArrayList<>();

    private final StreamRecord<WindowInput<K, T>> reused = new StreamRecord<>(null);

    /**
     * @param keyGroups how many the operator downstream has
     * @param batchExecution whether that operator needs its records sorted by key: then a block is of
     *     one record, for it is sorted by its first one's key
     */
    public BlockOutput(
            List<ValueSpec> values,
            KeyCodec<K> codec,
            int keyGroups,
            boolean batchExecution,
            Output<StreamRecord<WindowInput<K, T>>> output) {
        this.model = new BlockWriter(0, values);
        this.codec = codec;
        this.output = output;
        this.fullBytes =
                batchExecution
                        ? 1
                        : Math.max(MIN_FULL_BYTES, Math.min(FULL_BYTES, ALL_BYTES / keyGroups));
        this.writers = new BlockWriter[keyGroups];
    }

    /** What sends the output of an operator. */
    public static <K, T> BlockOutput<K, T> of(
            List<ValueSpec> values, KeyCodec<K> codec, BatchContext<?, WindowInput<K, T>> context) {
        return new BlockOutput<>(
                values, codec, context.keyGroups(), context.batchExecution(), context.output());
    }

    /** The key group of a key. */
    public int keyGroup(K key) {
        return KeyGroupRangeAssignment.assignToKeyGroup(key, writers.length);
    }

    /** The key group of a key by its {@link Object#hashCode()}. */
    public int keyGroupOfHash(int hashCode) {
        return KeyGroupRangeAssignment.computeKeyGroupForKeyHash(hashCode, writers.length);
    }

    /** Adds a row of a slice. */
    public void row(int keyGroup, KeyBytes key, long start, long end, RowValues row) {
        BlockWriter writer = writer(keyGroup);
        writer.row(key, start, end, row);
        sendFull(writer);
    }

    /** Adds a group of a slice. */
    public void group(int keyGroup, KeyBytes key, long start, long end, GroupSource group) {
        BlockWriter writer = writer(keyGroup);
        writer.group(key, start, end, group);
        sendFull(writer);
    }

    /** Sends all that is there. */
    public void flush() {
        for (BlockWriter writer : started) {
            if (!writer.isEmpty()) {
                send(writer);
            }
        }
        started.clear();
    }

    private BlockWriter writer(int keyGroup) {
        BlockWriter writer = writers[keyGroup];
        if (writer == null) {
            writer = model.ofKeyGroup(keyGroup);
            writers[keyGroup] = writer;
        }
        if (writer.isEmpty()) {
            started.add(writer);
        }
        return writer;
    }

    private void sendFull(BlockWriter writer) {
        if (writer.bytes() >= fullBytes) {
            send(writer);
            started.remove(writer);
        }
    }

    private void send(BlockWriter writer) {
        GroupBlock block = writer.take();
        reused.replace(WindowInput.block(block.firstKey(codec), block));
        reused.eraseTimestamp();
        output.collect(reused);
    }
}
