package io.flinkgpu.operator.window.slices;

import io.flinkgpu.api.Errors;
import io.flinkgpu.operator.window.AbstractWindowOperator;
import io.flinkgpu.operator.window.MergePartials;
import io.flinkgpu.operator.window.NoTimers;
import io.flinkgpu.operator.window.WindowInput;
import io.flinkgpu.operator.window.WindowPlan;
import io.flinkgpu.operator.window.WindowStates;
import io.flinkgpu.operator.window.WindowTrigger;
import io.flinkgpu.state.Partial;

import org.apache.flink.annotation.Internal;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.runtime.state.KeyedStateBackend;
import org.apache.flink.runtime.state.StateSnapshotContext;
import org.apache.flink.streaming.api.operators.InternalTimerService;
import org.apache.flink.streaming.api.operators.StreamOperatorParameters;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.api.windowing.windows.Window;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.runtime.tasks.ProcessingTimeService;
import org.apache.flink.util.IOUtils;

import java.util.stream.Stream;

/**
 * Windows of slices, whose groups are in tables off the heap and not in objects: tumbling and sliding
 * windows, and the one of all time. What is emitted, and when, and what is late, is as with Flink's window
 * operator and the same trigger, and is a {@link FiringRule}'s to decide; a window's results come in the
 * order in which its keys came first, not in that of their hashes.
 *
 * <p>Before a snapshot the groups are written to Flink's keyed state, see {@link WindowSnapshots}.
 * Groups for which there is no memory are in state as well.
 *
 * <p>All methods are the task thread's.
 *
 * @param <T> the record
 * @param <K> the user's key
 * @param <S> the key in state
 * @param <R> what is emitted
 */
@Internal
public final class SlicedWindowOperator<T, K, S, R> extends AbstractWindowOperator<T, K, S, R> {

    private static final long serialVersionUID = 1L;

    private transient WindowTables<T, K, S, R> tables;
    private transient FiringRule<S, T> firing;

    public SlicedWindowOperator(
            StreamOperatorParameters<R> parameters, WindowPlan<T, K, S, R> plan) {
        super(parameters, plan);
    }

    @Override
    public void open() throws Exception {
        super.open();
        KeyedStateBackend<S> backend = getKeyedStateBackend();
        int keyGroups = keyGroups();
        tables = new WindowTables<>(plan, backend, keyGroups, output, getMetricGroup());
        if (isRestored()) {
            tables.restore();
            if (plan.trigger().takesGroups()) {
                takeOver(plan.assigner().getWindowSerializer(getExecutionConfig()), backend);
            } else {
                requireNoWindows(backend);
            }
        }
        firing = firing(isBatchExecution());
        firing.start();
    }

    private FiringRule<S, T> firing(boolean batchExecution) {
        ProcessingTimeService time = getProcessingTimeService();
        WindowTrigger trigger = plan.trigger();
        if (batchExecution && trigger.isContinuous()) {
            throw Errors.state(
                    "a continuous trigger fires while records come, and not in batch execution:"
                            + " trigger=%s; run the job in streaming mode",
                    trigger.kind());
        }
        AssignedWindows<T> assigned = new AssignedWindows<>(plan.assigner(), time);
        LateRecords<T> late = new LateRecords<>(plan, tables.metrics(), output);
        return switch (trigger.kind()) {
            case ASSIGNER ->
                    plan.shape().isProcessingTime()
                            ? new ProcessingTimeFiring<>(
                                    plan.shape(), tables, assigned, time, batchExecution)
                            : new EventTimeFiring<>(plan.shape(), tables, assigned, late);
            case RUNNING -> new RunningFiring<>(trigger, tables, time, batchExecution);
            case COUNT -> new CountFiring<>(plan, tables);
            case CONTINUOUS_EVENT_TIME ->
                    new ContinuousEventTimeFiring<>(plan, tables, assigned, late);
            case CONTINUOUS_PROCESSING_TIME ->
                    new ContinuousProcessingTimeFiring<>(plan, tables, assigned, late, time);
            case NEVER -> throw new IllegalArgumentException("windows never fire: plan=" + plan);
        };
    }

    /** Flink's trigger has state of its own, which is not taken over. */
    private void requireNoWindows(KeyedStateBackend<S> backend) {
        try (Stream<?> contents = backend.getKeysAndNamespaces(WindowStates.CONTENTS)) {
            if (contents.findAny().isPresent()) {
                throw Errors.state(
                        "state of Flink's window operator cannot go on with this trigger: trigger=%s;"
                                + " go on with that operator, or let it drain its windows first",
                        plan.trigger().kind());
            }
        }
    }

    private <W extends Window> void takeOver(
            TypeSerializer<W> windowSerializer, KeyedStateBackend<S> backend) throws Exception {
        InternalTimerService<W> timers =
                getInternalTimerService(WindowStates.TIMERS, windowSerializer, new NoTimers<>());
        TypeSerializer<Partial> serializer = partialSerializer();
        tables.takeOver(
                new FlinkWindows<>(
                        plan.shape(),
                        plan.aggregates().specs().size(),
                        backend,
                        new WindowStates<S, W>(backend, windowSerializer)
                                .contents(new MergePartials(), serializer),
                        timers));
    }

    @Override
    public void processElement(StreamRecord<WindowInput<S, T>> element) throws Exception {
        tables.settle();
        WindowInput<S, T> input = element.getValue();
        if (input.isRaw()) {
            tables.read(input.record(), element.getTimestamp(), key());
            firing.add(element);
        } else {
            firing.add(input.block());
        }
        if (tables.isFull()) {
            firing.memoryIsFull();
            tables.keepWithinMemory();
        }
    }

    @Override
    public void processWatermark(Watermark mark) throws Exception {
        tables.settle();
        firing.watermark(mark.getTimestamp());
        tables.updateMetrics();
        super.processWatermark(mark);
    }

    @Override
    public void finish() throws Exception {
        tables.settle();
        firing.finish();
        super.finish();
    }

    @Override
    public void snapshotState(StateSnapshotContext context) throws Exception {
        tables.snapshot();
        super.snapshotState(context);
    }

    /** Gives all memory back, also after a failed {@link #open()}. */
    @Override
    public void close() throws Exception {
        IOUtils.closeAll(tables, super::close);
    }
}
