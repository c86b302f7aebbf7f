package io.flinkgpu.operator.window;

import io.flinkgpu.state.Partial;

import org.apache.flink.annotation.Internal;
import org.apache.flink.api.common.state.AggregatingStateDescriptor;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.api.java.typeutils.runtime.TupleSerializer;
import org.apache.flink.runtime.state.KeyedStateBackend;
import org.apache.flink.runtime.state.VoidNamespace;
import org.apache.flink.runtime.state.VoidNamespaceSerializer;
import org.apache.flink.runtime.state.internal.InternalAggregatingState;
import org.apache.flink.runtime.state.internal.InternalListState;
import org.apache.flink.streaming.api.windowing.windows.Window;

/**
 * The keyed state of windows, with the names and formats of Flink's window operator, so that savepoints
 * move between the two. Task thread only.
 *
 * @param <S> the key in state
 * @param <W> the window
 */
@Internal
public final class WindowStates<S, W extends Window> {

    /** The name of the timers of Flink's window operator. */
    public static final String TIMERS = "window-timers";

    /** The name of its contents. */
    public static final String CONTENTS = "window-contents";

    /** The name of its sessions. */
    public static final String SESSIONS = "merging-window-set";

    private final KeyedStateBackend<S> backend;
    private final TypeSerializer<W> windowSerializer;

    public WindowStates(KeyedStateBackend<S> backend, TypeSerializer<W> windowSerializer) {
        this.backend = backend;
        this.windowSerializer = windowSerializer;
    }

    /** A partial for each key and window. */
    @SuppressWarnings("unchecked") // Every backend's aggregating state is an internal one.
    public InternalAggregatingState<S, W, Partial, Partial, Partial> contents(
            MergePartials mergePartials, TypeSerializer<Partial> serializer) throws Exception {
        return (InternalAggregatingState<S, W, Partial, Partial, Partial>)
                backend.getOrCreateKeyedState(
                        windowSerializer,
                        new AggregatingStateDescriptor<>(CONTENTS, mergePartials, serializer));
    }

    /** For each key the sessions there are, and the windows that their contents are kept under. */
    @SuppressWarnings("unchecked") // A class literal has no type arguments.
    public InternalListState<S, VoidNamespace, Tuple2<W, W>> mergingSets() throws Exception {
        TupleSerializer<Tuple2<W, W>> serializer =
                new TupleSerializer<>(
                        (Class<Tuple2<W, W>>) (Class<?>) Tuple2.class,
                        new TypeSerializer<?>[] {windowSerializer, windowSerializer});
        InternalListState<S, VoidNamespace, Tuple2<W, W>> sets =
                (InternalListState<S, VoidNamespace, Tuple2<W, W>>)
                        backend.getOrCreateKeyedState(
                                VoidNamespaceSerializer.INSTANCE,
                                new ListStateDescriptor<>(SESSIONS, serializer));
        sets.setCurrentNamespace(VoidNamespace.INSTANCE);
        return sets;
    }
}
