package io.flinkgpu.operator.window.local;

import io.flinkgpu.column.ColumnBuilder;
import io.flinkgpu.column.RowValues;
import io.flinkgpu.column.ValueBatchBuilder;
import io.flinkgpu.groups.KeyBytes;
import io.flinkgpu.groups.KeyCodec;
import io.flinkgpu.groups.KeyDictionary;

import java.util.function.ToIntFunction;

/**
 * The batch that rows are added to: their numbers in columns, their keys and sessions as numbers. Task
 * thread only.
 */
final class OpenBatch<K> {

    /** The dictionary is reused across batches until it holds more keys than this. */
    static final int MAX_KEPT_KEYS = 1 << 16;

    /** A batch ends before its keys have more bytes than this, unless it is one key that has. */
    static final long MAX_KEY_BYTES = 16L << 20;

    private final ValueBatchBuilder builder;
    private final KeyCodec<K> codec;
    private final ToIntFunction<K> keyGroups;
    private final KeyBytes bytes = new KeyBytes();

    /** Null if windows do not merge. */
    private final LocalSessions sessions;

    private KeyDictionary keys = new KeyDictionary();
    private long threshold = Long.MAX_VALUE;

    /**
     * @param builder owned from here on
     * @param keyGroups the key group of a key
     * @param mergesSessions whether slices are sessions
     */
    OpenBatch(
            ValueBatchBuilder builder,
            KeyCodec<K> codec,
            ToIntFunction<K> keyGroups,
            boolean mergesSessions) {
        this.builder = builder;
        this.codec = codec;
        this.keyGroups = keyGroups;
        this.sessions = mergesSessions ? new LocalSessions() : null;
    }

    /** What its rows fill. */
    ColumnBuilder columns() {
        return builder;
    }

    /** The least threshold of its rows. */
    long threshold() {
        return threshold;
    }

    /**
     * Adds a row.
     *
     * @return false if the batch is full
     * @throws org.apache.arrow.memory.OutOfMemoryException if this row opens the batch and there is no
     *     memory for it; it can be added again
     */
    boolean add(K key, long startMillis, long endMillis, long rowThreshold, RowValues values) {
        codec.write(key, bytes);
        int keyId = keys.find(bytes);
        if (keyId < 0) {
            if (keys.size() > 0 && keys.heldBytes() + bytes.length() > MAX_KEY_BYTES) {
                if (builder.rows() > 0) {
                    return false;
                }
                keys = new KeyDictionary();
            }
            keyId = keys.add(bytes, keyGroups.applyAsInt(key));
        }
        long slice = sessions == null ? startMillis : sessions.add(keyId, startMillis, endMillis);
        if (!builder.append(keyId, slice, values)) {
            return false;
        }
        threshold = Math.min(threshold, rowThreshold);
        return true;
    }

    /** What the keys' numbers mean. */
    KeyDictionary keys() {
        return keys;
    }

    /** What is kept of the batch, whose columns are sealed now; starts the next one. */
    LocalBatch take(LocalGroups<K> groups) {
        long[] spans = sessions == null ? null : sessions.take();
        LocalBatch batch = new LocalBatch(builder.rows(), keys, spans, groups);
        threshold = Long.MAX_VALUE;
        if (keys.size() > MAX_KEPT_KEYS) {
            keys = new KeyDictionary();
        }
        return batch;
    }
}
