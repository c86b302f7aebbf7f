package io.flinkgpu.operator.window.session;

import io.flinkgpu.api.ValueSpec;
import io.flinkgpu.groups.GroupCursor;
import io.flinkgpu.groups.KeyBytes;
import io.flinkgpu.groups.KeyCodec;
import io.flinkgpu.groups.PartialSource;
import io.flinkgpu.groups.SessionCursor;
import io.flinkgpu.groups.SessionTable;
import io.flinkgpu.state.GroupRun;
import io.flinkgpu.state.GroupRunSerializer;
import io.flinkgpu.state.Partial;
import io.flinkgpu.state.PartialSerializer;
import io.flinkgpu.state.RunReader;
import io.flinkgpu.state.RunWriter;

import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeutils.base.LongSerializer;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.apache.flink.runtime.state.KeyGroupRangeAssignment;
import org.apache.flink.runtime.state.KeyedStateBackend;
import org.apache.flink.runtime.state.heap.HeapKeyedStateBackend;
import org.apache.flink.runtime.state.internal.InternalValueState;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.TreeMap;
import java.util.function.IntConsumer;
import java.util.stream.Stream;

/**
 * Sessions in Flink's keyed state: those of a key group as runs of bytes, under one key of theirs, which
 * makes them move with the key group. Each is a group of the run; before the key's bytes are its start and
 * end (8 bytes each, big-endian) and whether it has fired (1 byte). Sessions of several runs that touch are
 * one. Changes the current key. Task thread only.
 *
 * @param <S> the key in state
 */
final class SessionStore<S> {

    private static final String NAME = "window-sessions";

    /** A run is cut here, so that an array stays small. */
    private static final int FULL_BYTES = 1 << 16;

    private final KeyedStateBackend<S> backend;
    private final KeyCodec<S> codec;
    private final int keyGroups;
    private final InternalValueState<S, Long, GroupRun> state;
    private final int values;
    private final Partial none;
    private final PartialSerializer format;
    private final RunReader reader = new RunReader();
    private final PartialSource source;
    private final KeyBytes key = new KeyBytes();
    private final DataOutputSerializer head = new DataOutputSerializer(64);
    private final DataInputDeserializer headReader = new DataInputDeserializer();
    private long nextNumber;
    private long written;

    /**
     * @param codec becomes the store's own
     * @param keyGroups how many the operator has, those of other subtasks included
     */
    @SuppressWarnings("unchecked") // Every backend's value state is an internal one.
    SessionStore(
            KeyedStateBackend<S> backend, KeyCodec<S> codec, int keyGroups, List<ValueSpec> specs)
            throws Exception {
        this.backend = backend;
        this.codec = codec;
        this.keyGroups = keyGroups;
        this.values = specs.size();
        this.none = new Partial(specs);
        this.format = new PartialSerializer(specs);
        this.source = new PartialSource(values);
        this.state =
                (InternalValueState<S, Long, GroupRun>)
                        backend.getOrCreateKeyedState(
                                LongSerializer.INSTANCE,
                                new ValueStateDescriptor<>(NAME, new GroupRunSerializer(format)));
    }

    /** How many sessions were written so far. */
    long written() {
        return written;
    }

    /** Whether state is on the heap, where each checkpoint writes all of it. */
    boolean isOnHeap() {
        return backend instanceof HeapKeyedStateBackend;
    }

    /** The runs in state; to be called before any is written. */
    List<SessionRun<S>> stored() {
        List<SessionRun<S>> runs = new ArrayList<>();
        try (Stream<Tuple2<S, Long>> all = backend.getKeysAndNamespaces(NAME)) {
            all.forEach(
                    entry -> runs.add(new SessionRun<>(entry.f0, keyGroup(entry.f0), entry.f1)));
        }
        for (SessionRun<S> run : runs) {
            nextNumber = Math.max(nextNumber, run.number() + 1);
        }
        return runs;
    }

    /** Writes all sessions of a table, which stay there. */
    List<SessionRun<S>> write(SessionTable sessions) throws Exception {
        List<SessionRun<S>> runs = new ArrayList<>();
        TreeMap<Integer, Writing<S>> writing = new TreeMap<>();
        SessionCursor each = sessions.cursor();
        while (each.next()) {
            GroupCursor group = each.group();
            group.key(key);
            Writing<S> to =
                    writing.computeIfAbsent(
                            group.keyGroup(),
                            keyGroup ->
                                    new Writing<>(
                                            codec.read(key.array(), 0, key.length()),
                                            keyGroup,
                                            new RunWriter(format)));
            head.clear();
            head.writeLong(sessions.start(each.session()));
            head.writeLong(sessions.end(each.session()));
            head.writeBoolean(sessions.isFired(each.session()));
            head.write(key.array(), 0, key.length());
            Partial partial = none.copy();
            PartialSource.add(group, values, partial);
            to.writer().add(head.getSharedBuffer(), head.length(), partial);
            written++;
            if (to.writer().bytes() >= FULL_BYTES) {
                runs.add(put(to));
            }
        }
        for (Writing<S> rest : writing.values()) {
            if (rest.writer().bytes() > 0) {
                runs.add(put(rest));
            }
        }
        return runs;
    }

    private SessionRun<S> put(Writing<S> written) throws IOException {
        SessionRun<S> run = new SessionRun<>(written.carrier(), written.keyGroup(), nextNumber++);
        open(run);
        state.update(written.writer().take());
        return run;
    }

    /**
     * Adds the sessions of a run to a table.
     *
     * @param loaded is given each session that something was added to
     */
    void load(SessionRun<S> run, SessionTable into, IntConsumer loaded) throws IOException {
        open(run);
        reader.open(state.value());
        while (reader.next()) {
            headReader.setBuffer(reader.bytes(), reader.keyAt(), reader.keyLength());
            long start = headReader.readLong();
            long end = headReader.readLong();
            boolean fired = headReader.readBoolean();
            key.set(reader.bytes(), headReader.getPosition(), headReader.available());
            int session = into.join(key, run.keyGroup(), start, end, fired);
            into.groups().merge(session, source.open(reader.partial()));
            loaded.accept(session);
        }
    }

    /** Removes runs from state. */
    void delete(Collection<SessionRun<S>> runs) {
        for (SessionRun<S> run : runs) {
            open(run);
            state.clear();
        }
    }

    private void open(SessionRun<S> run) {
        backend.setCurrentKey(run.carrier());
        state.setCurrentNamespace(run.number());
    }

    int keyGroup(S key) {
        return KeyGroupRangeAssignment.assignToKeyGroup(key, keyGroups);
    }

    /** A run that is being written. */
    private record Writing<S>(S carrier, int keyGroup, RunWriter writer) {}
}
