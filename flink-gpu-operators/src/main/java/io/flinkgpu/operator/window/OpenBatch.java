package io.flinkgpu.operator.window;

import io.flinkgpu.column.ColumnBatch;
import io.flinkgpu.column.RowValues;
import io.flinkgpu.column.ValueBatchBuilder;

import org.apache.flink.api.common.typeutils.TypeSerializer;

/**
 * The batch that rows are added to: their numbers in columns, their keys and sessions as numbers. Task
 * thread only.
 */
final class OpenBatch<K> implements AutoCloseable {

    /** Keys of a dictionary, which outlives a batch until it has more. */
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

    int rows() {
        return builder.rows();
    }

    int bytes() {
        return builder.bytes();
    }

    boolean isFull() {
        return builder.isFull();
    }

    /** The least threshold of its rows. */
    long threshold() {
        return threshold;
    }

    /**
     * Adds a row to a batch that is not full.
     *
     * @throws org.apache.arrow.memory.OutOfMemoryException if this row opens the batch and there is no
     *     memory for it; it can be added again
     */
    void add(K key, long startMillis, long endMillis, long rowThreshold, RowValues values) {
        int keyId = keys.id(key);
        long slice = sessions == null ? startMillis : sessions.add(keyId, startMillis, endMillis);
        builder.append(keyId, slice, values);
        threshold = Math.min(threshold, rowThreshold);
    }

    /** What the keys' numbers mean. */
    KeyDictionary<K> keys() {
        return keys;
    }

    /** What the sessions' numbers mean, or null if windows do not merge. Forgets the sessions. */
    long[] takeSessions() {
        return sessions == null ? null : sessions.take();
    }

    /** Seals the batch, and starts the next one. The caller closes the columns. */
    ColumnBatch seal() {
        ColumnBatch columns = builder.build();
        threshold = Long.MAX_VALUE;
        if (keys.size() > MAX_KEPT_KEYS) {
            keys = new KeyDictionary<>(keySerializer);
        }
        return columns;
    }

    @Override
    public void close() {
        builder.close();
    }
}
