package io.flinkgpu.operator.window;

import io.flinkgpu.column.ColumnBuilder;
import io.flinkgpu.column.RowValues;
import io.flinkgpu.column.ValueBatchBuilder;

import org.apache.flink.api.common.typeutils.TypeSerializer;

/**
 * The batch that rows are added to: their numbers in columns, their keys and sessions as numbers. Task
 * thread only.
 */
final class OpenBatch<K> {

    /** The dictionary is reused across batches until it holds more keys than this. */
    static final int MAX_KEPT_KEYS = 1 << 16;

    private final ValueBatchBuilder builder;
    private final TypeSerializer<K> keySerializer;

    /** Null if windows do not merge. */
    private final LocalSessions sessions;

    private KeyDictionary<K> keys;
    private long threshold = Long.MAX_VALUE;

    /**
     * @param builder owned from here on
     * @param mergesSessions whether slices are sessions
     */
    OpenBatch(ValueBatchBuilder builder, TypeSerializer<K> keySerializer, boolean mergesSessions) {
        this.builder = builder;
        this.sessions = mergesSessions ? new LocalSessions() : null;
        this.keySerializer = keySerializer;
        this.keys = new KeyDictionary<>(keySerializer);
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
        int keyId = keys.id(key);
        long slice = sessions == null ? startMillis : sessions.add(keyId, startMillis, endMillis);
        if (!builder.append(keyId, slice, values)) {
            return false;
        }
        threshold = Math.min(threshold, rowThreshold);
        return true;
    }

    /** What the keys' numbers mean. */
    KeyDictionary<K> keys() {
        return keys;
    }

    /** What is kept of the batch, whose columns are sealed now; starts the next one. */
    <T> LocalBatch<K, T> take(WindowShape shape, LocalOutput<K, T> output) {
        long[] spans = sessions == null ? null : sessions.take();
        LocalBatch<K, T> batch = new LocalBatch<>(builder.rows(), keys, shape, spans, output);
        threshold = Long.MAX_VALUE;
        if (keys.size() > MAX_KEPT_KEYS) {
            keys = new KeyDictionary<>(keySerializer);
        }
        return batch;
    }
}
