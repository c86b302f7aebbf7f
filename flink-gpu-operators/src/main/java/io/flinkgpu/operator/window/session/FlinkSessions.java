package io.flinkgpu.operator.window.session;

import io.flinkgpu.groups.KeyBytes;
import io.flinkgpu.groups.KeyCodec;
import io.flinkgpu.groups.PartialSource;
import io.flinkgpu.operator.window.MergePartials;
import io.flinkgpu.operator.window.WindowStates;
import io.flinkgpu.state.Partial;

import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.api.java.tuple.Tuple3;
import org.apache.flink.runtime.state.KeyedStateBackend;
import org.apache.flink.runtime.state.VoidNamespace;
import org.apache.flink.runtime.state.internal.InternalAggregatingState;
import org.apache.flink.runtime.state.internal.InternalListState;
import org.apache.flink.streaming.api.operators.InternalTimerService;
import org.apache.flink.streaming.api.windowing.windows.TimeWindow;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Takes over the sessions that Flink's window operator, or ours in its format, has left in state: for each
 * key the sessions there are, what each has, and a timer for each that has not fired. Task thread only.
 *
 * @param <S> the key in state
 */
final class FlinkSessions<S> {

    private final KeyedStateBackend<S> backend;
    private final InternalListState<S, VoidNamespace, Tuple2<TimeWindow, TimeWindow>> sets;
    private final InternalAggregatingState<S, TimeWindow, Partial, Partial, Partial> contents;
    private final InternalTimerService<TimeWindow> timers;

    FlinkSessions(
            KeyedStateBackend<S> backend,
            WindowStates<S, TimeWindow> states,
            TypeSerializer<Partial> serializer,
            InternalTimerService<TimeWindow> timers)
            throws Exception {
        this.backend = backend;
        this.sets = states.mergingSets();
        this.contents = states.contents(new MergePartials(), serializer);
        this.timers = timers;
    }

    /** Moves all sessions to tables, and removes the timers. */
    void moveTo(SessionGroups<S> groups, SessionStore<S> store, KeyCodec<S> codec, int values)
            throws Exception {
        List<S> keys;
        try (Stream<S> all = backend.getKeys(WindowStates.SESSIONS, VoidNamespace.INSTANCE)) {
            keys = all.toList();
        }
        Set<Tuple2<S, TimeWindow>> waiting = takeTimers();
        KeyBytes key = new KeyBytes();
        PartialSource source = new PartialSource(values);
        for (S of : keys) {
            codec.write(of, key);
            backend.setCurrentKey(of);
            for (Tuple2<TimeWindow, TimeWindow> session : sets.get()) {
                TimeWindow window = session.f0;
                contents.setCurrentNamespace(session.f1);
                Partial partial = contents.get();
                if (partial != null) {
                    int to =
                            groups.sessions()
                                    .join(
                                            key,
                                            store.keyGroup(of),
                                            window.getStart(),
                                            window.getEnd(),
                                            !waiting.contains(Tuple2.of(of, window)));
                    groups.groups().merge(to, source.open(partial));
                    groups.expect(to);
                    contents.clear();
                }
            }
            sets.clear();
            groups.keepWithin();
        }
    }

    /**
     * Removes all timers, which would stay when their sessions grow.
     *
     * @return the sessions that have not fired
     */
    private Set<Tuple2<S, TimeWindow>> takeTimers() throws Exception {
        List<Tuple3<S, TimeWindow, Long>> all = new ArrayList<>();
        timers.forEachEventTimeTimer(
                (window, time) -> all.add(Tuple3.of(backend.getCurrentKey(), window, time)));
        Set<Tuple2<S, TimeWindow>> waiting = new HashSet<>();
        for (Tuple3<S, TimeWindow, Long> timer : all) {
            if (timer.f2 == timer.f1.maxTimestamp()) {
                waiting.add(Tuple2.of(timer.f0, timer.f1));
            }
            backend.setCurrentKey(timer.f0);
            timers.deleteEventTimeTimer(timer.f1, timer.f2);
        }
        return waiting;
    }
}
