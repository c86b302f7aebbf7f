package io.flinkgpu.operator.window.session;

import io.flinkgpu.api.ValueSpec;
import io.flinkgpu.groups.GroupTables;
import io.flinkgpu.groups.KeyBytes;
import io.flinkgpu.groups.KeyCodec;
import io.flinkgpu.groups.PartialSource;
import io.flinkgpu.groups.SessionCursor;
import io.flinkgpu.groups.SessionTable;
import io.flinkgpu.operator.window.PartialReceiver;
import io.flinkgpu.state.Partial;

import org.apache.flink.annotation.Internal;
import org.apache.flink.runtime.state.KeyedStateBackend;
import org.apache.flink.streaming.api.windowing.windows.TimeWindow;

import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;

import java.util.List;

/**
 * Turns what {@link SessionOperator} has left in state into the sessions, contents and timers that Flink's
 * window operator has. Task thread only.
 *
 * @param <S> the key in state
 */
@Internal
public final class SessionsToFlink<S> {

    private final KeyedStateBackend<S> backend;
    private final KeyCodec<S> codec;
    private final List<ValueSpec> specs;
    private final int keyGroups;

    /**
     * @param codec becomes this object's own
     * @param keyGroups how many the operator has, those of other subtasks included
     */
    public SessionsToFlink(
            KeyedStateBackend<S> backend, KeyCodec<S> codec, List<ValueSpec> specs, int keyGroups) {
        this.backend = backend;
        this.codec = codec;
        this.specs = specs;
        this.keyGroups = keyGroups;
    }

    /** Moves all sessions to windows. Needs the memory of all of them. */
    public void moveTo(PartialReceiver windows) throws Exception {
        SessionStore<S> store = new SessionStore<>(backend, codec, keyGroups, specs);
        List<SessionRun<S>> runs = store.stored();
        try (BufferAllocator allocator = new RootAllocator();
                SessionTable sessions = new GroupTables(allocator, specs).newSessionTable()) {
            for (SessionRun<S> run : runs) {
                store.load(run, sessions, session -> {});
            }
            store.delete(runs);
            move(sessions, windows);
        }
    }

    private void move(SessionTable sessions, PartialReceiver windows) throws Exception {
        KeyBytes key = new KeyBytes();
        SessionCursor each = sessions.cursor();
        while (each.next()) {
            each.group().key(key);
            backend.setCurrentKey(codec.read(key.array(), 0, key.length()));
            Partial partial = new Partial(specs);
            PartialSource.add(each.group(), specs.size(), partial);
            int session = each.session();
            windows.receive(
                    new TimeWindow(sessions.start(session), sessions.end(session)),
                    partial,
                    sessions.isFired(session));
        }
    }
}
