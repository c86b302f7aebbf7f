package io.flinkgpu.operator.window;

import io.flinkgpu.backend.plan.GroupedBatch;
import io.flinkgpu.operator.InFlightBatch;

/**
 * The part of a batch that stays on the task thread: what its keys' and sessions' numbers mean. Sends
 * its groups.
 */
final class LocalBatch<K, T> extends InFlightBatch<GroupedBatch> {

    private final int rows;
    private final KeyDictionary<K> keys;
    private final WindowShape shape;
    private final long[] sessions;
    private final LocalOutput<K, T> output;
    private int groups;

    /**
     * @param sessions of session windows, as {@link LocalSessions#take()} gives them; else null
     */
    LocalBatch(
            int rows,
            KeyDictionary<K> keys,
            WindowShape shape,
            long[] sessions,
            LocalOutput<K, T> output) {
        this.rows = rows;
        this.keys = keys;
        this.shape = shape;
        this.sessions = sessions;
        this.output = output;
    }

    int rows() {
        return rows;
    }

    @Override
    protected void emitPart(GroupedBatch part) {
        output.open(part);
        for (int group = 0; group < part.groups(); group++) {
            K key = keys.key(part.keyId(group));
            long slice = part.slice(group);
            if (sessions == null) {
                output.group(key, slice, shape.sliceEnd(slice), group);
            } else {
                int session = 2 * (int) slice;
                output.group(key, sessions[session], sessions[session + 1], group);
            }
        }
        groups += part.groups();
        output.worked(part.deviceNanos());
    }

    @Override
    protected void emitEnd() {
        output.completed(rows, groups);
    }
}
