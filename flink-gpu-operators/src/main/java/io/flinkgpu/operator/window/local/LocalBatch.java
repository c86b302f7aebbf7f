package io.flinkgpu.operator.window.local;

import io.flinkgpu.backend.plan.GroupedBatch;
import io.flinkgpu.groups.KeyBytes;
import io.flinkgpu.groups.KeyDictionary;
import io.flinkgpu.operator.InFlightBatch;

/** The part of a batch that stays on the task thread: what its keys' and sessions' numbers mean. */
final class LocalBatch extends InFlightBatch<GroupedBatch> {

    private final int rows;
    private final KeyDictionary keys;
    private final long[] sessions;
    private final LocalGroups<?> groups;
    private final KeyBytes key = new KeyBytes();
    private int newGroups;

    /**
     * @param sessions of session windows, as {@link LocalSessions#take()} gives them; else null
     * @param groups where the batch's groups go
     */
    LocalBatch(int rows, KeyDictionary keys, long[] sessions, LocalGroups<?> groups) {
        this.rows = rows;
        this.keys = keys;
        this.sessions = sessions;
        this.groups = groups;
    }

    @Override
    protected void emitPart(GroupedBatch part) {
        BatchGroup group = new BatchGroup().open(part);
        for (int i = 0; i < part.groups(); i++) {
            int keyId = part.keyId(i);
            keys.key(keyId, key);
            int keyGroup = keys.keyGroup(keyId);
            if (groups.add(keyGroup, key, part.slice(i), sessions, group.move(i))) {
                newGroups++;
            }
        }
        groups.worked(part.deviceNanos());
    }

    @Override
    protected void emitEnd() {
        groups.completed(rows, newGroups);
    }
}
