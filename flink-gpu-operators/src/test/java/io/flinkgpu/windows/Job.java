package io.flinkgpu.windows;

import io.flinkgpu.api.DeadLetter;

import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.java.functions.KeySelector;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.apache.flink.runtime.checkpoint.CheckpointType;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.runtime.checkpoint.SavepointType;
import org.apache.flink.runtime.checkpoint.SnapshotType;
import org.apache.flink.runtime.state.KeyGroupRangeAssignment;
import org.apache.flink.runtime.state.StateBackend;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.runtime.io.PushingAsyncDataInput;
import org.apache.flink.streaming.runtime.streamrecord.LatencyMarker;
import org.apache.flink.streaming.runtime.streamrecord.RecordAttributes;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.runtime.watermarkstatus.StatusWatermarkValve;
import org.apache.flink.streaming.runtime.watermarkstatus.WatermarkStatus;
import org.apache.flink.util.IOUtils;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.function.Function;

/**
 * A running job in Flink's harnesses: one local subtask for each channel (none for Flink's own engine),
 * the shuffle with its serializers and its watermark valves, and some subtasks of the window operator.
 */
final class Job implements AutoCloseable {

    private final Function<Object, String> row;
    private final boolean objectReuse;
    private final List<OperatorHarness<Reading, Object>> locals = new ArrayList<>();
    private final List<OperatorHarness<Object, Object>> windows = new ArrayList<>();
    private final List<StatusWatermarkValve> valves = new ArrayList<>();
    private final List<Recording> recordings = new ArrayList<>();
    private final List<DeadLetter<Reading>> deadLetters = new ArrayList<>();
    private final TypeSerializer<Object> edge;
    private final KeySelector<Object, ?> keySelector;
    private final StreamRecord<Reading> reused = new StreamRecord<>(new Reading());
    private long checkpoint;

    /** State of all subtasks of the window operator; those before the shuffle start afresh. */
    record Saved(OperatorSubtaskState windows, int parallelism) {}

    /**
     * Starts the job.
     *
     * @param row what rows are written down as
     * @param restored null for a fresh start
     */
    Job(
            Stages stages,
            Function<Object, String> row,
            int channels,
            int parallelism,
            boolean objectReuse,
            StateBackend backend,
            long nowMillis,
            Saved restored)
            throws Exception {
        this.row = row;
        this.objectReuse = objectReuse;
        keySelector = OperatorHarness.keySelector(stages.window());
        for (int i = 0; i < parallelism; i++) {
            OperatorSubtaskState state =
                    restored == null
                            ? null
                            : OperatorHarness.repartitionOperatorState(
                                    restored.windows(),
                                    OperatorHarness.MAX_PARALLELISM,
                                    restored.parallelism(),
                                    parallelism,
                                    i);
            windows.add(
                    OperatorHarness.open(
                            stages.window(),
                            parallelism,
                            i,
                            objectReuse,
                            backend,
                            nowMillis,
                            state));
            valves.add(new StatusWatermarkValve(channels));
            recordings.add(new Recording());
        }
        edge =
                stages.window()
                        .getInputType()
                        .createSerializer(
                                windows.get(0).getExecutionConfig().getSerializerConfig());
        for (int i = 0; stages.local() != null && i < channels; i++) {
            locals.add(
                    OperatorHarness.open(
                            stages.local(), channels, i, objectReuse, backend, nowMillis, null));
        }
    }

    void arrives(int channel, Reading reading, long timestamp) throws Exception {
        StreamRecord<Reading> record = objectReuse ? reused : new StreamRecord<>(new Reading());
        record.getValue().set(reading);
        if (timestamp == Long.MIN_VALUE) {
            record.eraseTimestamp();
        } else {
            record.setTimestamp(timestamp);
        }
        if (locals.isEmpty()) {
            window(record.getValue()).processElement(upcast(record));
        } else {
            locals.get(channel).processElement(record);
            pass(channel);
        }
        if (objectReuse) {
            reused.getValue().overwrite();
            reused.setTimestamp(Long.MAX_VALUE);
        }
        take();
    }

    void watermark(int channel, long timestamp) throws Exception {
        if (locals.isEmpty()) {
            mark(channel, new Watermark(timestamp));
        } else {
            locals.get(channel).processWatermark(new Watermark(timestamp));
            pass(channel);
        }
        take();
    }

    void status(int channel, boolean idle) throws Exception {
        WatermarkStatus status = idle ? WatermarkStatus.IDLE : WatermarkStatus.ACTIVE;
        if (locals.isEmpty()) {
            mark(channel, status);
        } else {
            locals.get(channel).processWatermarkStatus(status);
            pass(channel);
        }
        take();
    }

    void clock(long millis) throws Exception {
        for (int channel = 0; channel < locals.size(); channel++) {
            locals.get(channel).setProcessingTime(millis);
            pass(channel);
        }
        for (OperatorHarness<Object, Object> window : windows) {
            window.setProcessingTime(millis);
        }
        take();
    }

    void mails() throws Exception {
        for (int channel = 0; channel < locals.size(); channel++) {
            locals.get(channel).runMails();
            pass(channel);
        }
        for (OperatorHarness<Object, Object> window : windows) {
            window.runMails();
        }
        take();
    }

    /** A checkpoint or a savepoint in the canonical format; the job can go on. */
    Saved save(boolean canonical) throws Exception {
        checkpoint++;
        for (int channel = 0; channel < locals.size(); channel++) {
            locals.get(channel).prepareSnapshotPreBarrier(checkpoint);
            pass(channel);
        }
        for (OperatorHarness<Object, Object> window : windows) {
            window.prepareSnapshotPreBarrier(checkpoint);
        }
        take();
        SnapshotType type =
                canonical
                        ? SavepointType.savepoint(SavepointFormatType.CANONICAL)
                        : CheckpointType.CHECKPOINT;
        for (OperatorHarness<Reading, Object> local : locals) {
            local.snapshotWithLocalState(checkpoint, checkpoint, type);
        }
        return new Saved(states(type), windows.size());
    }

    private OperatorSubtaskState states(SnapshotType type) throws Exception {
        OperatorSubtaskState[] states = new OperatorSubtaskState[windows.size()];
        for (int i = 0; i < states.length; i++) {
            states[i] =
                    windows.get(i)
                            .snapshotWithLocalState(checkpoint, checkpoint, type)
                            .getJobManagerOwnedState();
        }
        return OperatorHarness.repackageState(states);
    }

    /** Ends all inputs; their last watermarks have been sent. */
    void end() throws Exception {
        for (int channel = 0; channel < locals.size(); channel++) {
            locals.get(channel).finish();
            pass(channel);
        }
        for (OperatorHarness<Object, Object> window : windows) {
            window.finish();
        }
        take();
    }

    /** What the window operator emitted, the last segment being closed with this mark. */
    List<Recording.Segment> recorded(String mark) {
        recordings.forEach(recording -> recording.close(mark));
        return Recording.together(recordings);
    }

    /** Counters and sizes of the window operator; comparable only behind a barrier or the end. */
    String sizes() {
        long entries = 0;
        int eventTimers = 0;
        int processingTimers = 0;
        for (OperatorHarness<Object, Object> window : windows) {
            entries += window.stateEntries();
            eventTimers += window.numEventTimeTimers();
            processingTimers += window.numProcessingTimeTimers();
        }
        return "state entries %d, event timers %d, processing timers %d, late records dropped %d"
                .formatted(entries, eventTimers, processingTimers, lateRecordsDropped());
    }

    long lateRecordsDropped() {
        return windows.stream().mapToLong(OperatorHarness::lateRecordsDropped).sum();
    }

    private void pass(int channel) throws Exception {
        Queue<Object> output = locals.get(channel).getOutput();
        for (Object element; (element = output.poll()) != null; ) {
            if (element instanceof StreamRecord<?> record) {
                Object value = overTheWire(record.getValue());
                StreamRecord<Object> received = new StreamRecord<>(value);
                if (record.hasTimestamp()) {
                    received.setTimestamp(record.getTimestamp());
                }
                window(value).processElement(received);
            } else {
                mark(channel, element);
            }
        }
    }

    private Object overTheWire(Object value) throws Exception {
        DataOutputSerializer out = new DataOutputSerializer(64);
        edge.serialize(value, out);
        DataInputDeserializer in = new DataInputDeserializer(out.getCopyOfBuffer());
        Object received = edge.deserialize(in);
        if (in.available() != 0) {
            throw new IllegalStateException("bytes left behind " + received);
        }
        return received;
    }

    private OperatorHarness<Object, Object> window(Object value) throws Exception {
        return windows.get(
                KeyGroupRangeAssignment.assignKeyToParallelOperator(
                        keySelector.getKey(value),
                        OperatorHarness.MAX_PARALLELISM,
                        windows.size()));
    }

    private void mark(int channel, Object mark) throws Exception {
        for (int i = 0; i < windows.size(); i++) {
            Input input = new Input(windows.get(i));
            if (mark instanceof Watermark watermark) {
                valves.get(i).inputWatermark(watermark, channel, input);
            } else {
                valves.get(i).inputWatermarkStatus((WatermarkStatus) mark, channel, input);
            }
        }
    }

    /** The dead letters so far. */
    List<DeadLetter<Reading>> deadLetters() {
        return deadLetters;
    }

    private void take() {
        for (OperatorHarness<Reading, Object> local : locals) {
            Queue<StreamRecord<DeadLetter<Reading>>> dead = local.getSideOutput(Plan.DEAD);
            for (StreamRecord<DeadLetter<Reading>> record;
                    dead != null && (record = dead.poll()) != null; ) {
                deadLetters.add(record.getValue());
            }
        }
        for (int i = 0; i < windows.size(); i++) {
            recordings
                    .get(i)
                    .take(windows.get(i).getOutput(), windows.get(i).getSideOutput(Plan.LATE), row);
        }
    }

    @SuppressWarnings("unchecked") // Without a local stage the window operator takes Readings.
    private static StreamRecord<Object> upcast(StreamRecord<?> record) {
        return (StreamRecord<Object>) record;
    }

    @Override
    public void close() {
        IOUtils.closeAllQuietly(locals);
        IOUtils.closeAllQuietly(windows);
    }

    /** What a valve gives to a subtask. */
    private record Input(OperatorHarness<Object, Object> window)
            implements PushingAsyncDataInput.DataOutput<Object> {

        @Override
        public void emitRecord(StreamRecord<Object> record) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void emitWatermark(Watermark watermark) throws Exception {
            window.processWatermark(watermark);
        }

        @Override
        public void emitWatermarkStatus(WatermarkStatus status) throws Exception {
            window.processWatermarkStatus(status);
        }

        @Override
        public void emitLatencyMarker(LatencyMarker marker) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void emitRecordAttributes(RecordAttributes attributes) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void emitWatermark(org.apache.flink.runtime.event.WatermarkEvent event) {
            throw new UnsupportedOperationException();
        }
    }
}
