package io.flinkgpu;

import io.flinkgpu.api.Aggregates;
import io.flinkgpu.api.DeadLetter;
import io.flinkgpu.api.Errors;
import io.flinkgpu.api.GpuOptions;
import io.flinkgpu.api.ValueGetter;
import io.flinkgpu.api.ValueSpec;
import io.flinkgpu.api.WindowMapper;
import io.flinkgpu.api.WindowResult;
import io.flinkgpu.api.WindowResultTypeInfo;
import io.flinkgpu.operator.window.Sent;
import io.flinkgpu.operator.window.StateKeys;
import io.flinkgpu.operator.window.WindowInput;
import io.flinkgpu.operator.window.WindowInputTypeInfo;
import io.flinkgpu.operator.window.WindowPlan;
import io.flinkgpu.operator.window.WindowShape;
import io.flinkgpu.operator.window.WindowTrigger;
import io.flinkgpu.operator.window.local.LocalAggregateSpec;

import org.apache.flink.annotation.PublicEvolving;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.java.functions.KeySelector;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.windowing.assigners.WindowAssigner;
import org.apache.flink.streaming.api.windowing.triggers.ContinuousEventTimeTrigger;
import org.apache.flink.streaming.api.windowing.triggers.ContinuousProcessingTimeTrigger;
import org.apache.flink.streaming.api.windowing.triggers.CountTrigger;
import org.apache.flink.streaming.api.windowing.triggers.PurgingTrigger;
import org.apache.flink.streaming.api.windowing.triggers.Trigger;
import org.apache.flink.util.OutputTag;

import java.time.Duration;
import java.util.List;

/**
 * Windows of a keyed stream. They hold the same rows, fire at the same watermarks and treat late
 * records the same as those of Flink's {@code WindowedStream.aggregate}. Immutable: each method gives a
 * changed copy, so a call whose result is not used does nothing.
 */
@PublicEvolving
public final class WindowedGpuStream<T, K> {

    private static final String LOCAL = "gpu-local-aggregate";

    private final KeyedGpuStream<T, K> keyed;
    private final WindowAssigner<Object, ?> assigner;
    private final WindowShape shape;
    private final WindowTrigger trigger;
    private final long latenessMillis;
    private final OutputTag<T> lateTag;
    private final OutputTag<DeadLetter<T>> deadLetterTag;
    private final boolean localAggregation;
    private final boolean flinkState;

    WindowedGpuStream(
            KeyedGpuStream<T, K> keyed,
            WindowAssigner<Object, ?> assigner,
            WindowShape shape,
            WindowTrigger trigger) {
        this(keyed, assigner, shape, trigger, 0, null, null, true, false);
    }

    private WindowedGpuStream(
            KeyedGpuStream<T, K> keyed,
            WindowAssigner<Object, ?> assigner,
            WindowShape shape,
            WindowTrigger trigger,
            long latenessMillis,
            OutputTag<T> lateTag,
            OutputTag<DeadLetter<T>> deadLetterTag,
            boolean localAggregation,
            boolean flinkState) {
        this.keyed = keyed;
        this.assigner = assigner;
        this.shape = shape;
        this.trigger = trigger;
        this.latenessMillis = latenessMillis;
        this.lateTag = lateTag;
        this.deadLetterTag = deadLetterTag;
        this.localAggregation = localAggregation;
        this.flinkState = flinkState;
        if (lateTag != null && lateTag.equals(deadLetterTag)) {
            throw Errors.argument(
                    "late records and dead letters need tags of their own: id='%s'; give the tags"
                            + " different ids",
                    lateTag.getId());
        }
    }

    /**
     * Says when windows fire, instead of at their ends: {@link CountTrigger} for {@code GlobalWindows},
     * {@link ContinuousEventTimeTrigger} and {@link ContinuousProcessingTimeTrigger} for these and for
     * tumbling and sliding windows in event time, each also in a {@link PurgingTrigger}. With one of them
     * records are not aggregated before they are sent to the subtask of their key, those of a count in
     * blocks that wait at most the batch policy's {@code maxDelay}, and the groups of a subtask have to fit
     * in {@code memoryLimitBytes}. The assigner's default trigger is accepted as well.
     *
     * @throws IllegalArgumentException for any other, naming Flink's own operator as the way
     */
    public WindowedGpuStream<T, K> trigger(Trigger<? super T, ?> trigger) {
        return new WindowedGpuStream<>(
                keyed,
                assigner,
                shape,
                WindowTrigger.of(assigner, shape, JobChecks.present("trigger", trigger)),
                latenessMillis,
                lateTag,
                deadLetterTag,
                localAggregation,
                flinkState);
    }

    /**
     * How long behind the watermark a window still takes records; each makes it fire again. Means
     * nothing for windows that are not of event time.
     *
     * @throws IllegalArgumentException if it is negative
     */
    public WindowedGpuStream<T, K> allowedLateness(Duration lateness) {
        JobChecks.requireLateness(lateness);
        return with(lateness.toMillis(), lateTag, deadLetterTag, localAggregation);
    }

    /**
     * Where records later than that go, instead of being dropped and counted in {@code
     * numLateRecordsDropped}.
     *
     * @throws IllegalArgumentException if the dead letters' tag has the same id
     */
    public WindowedGpuStream<T, K> sideOutputLateData(OutputTag<T> tag) {
        return with(latenessMillis, JobChecks.copy(tag), deadLetterTag, localAggregation);
    }

    /**
     * Where records go that cannot be aggregated: with a null key, without a timestamp in event time,
     * with a value out of its type's range, or of which the selector or a getter throws. Without this,
     * such a record fails the job.
     *
     * @throws IllegalArgumentException if the late records' tag has the same id
     */
    public WindowedGpuStream<T, K> deadLetters(OutputTag<DeadLetter<T>> tag) {
        return with(latenessMillis, lateTag, JobChecks.copy(tag), localAggregation);
    }

    /**
     * Whether records are aggregated before they are sent to the subtask of their key, or sent in blocks
     * where they cannot be; true if not called. Those of processing-time windows are sent as they came.
     */
    public WindowedGpuStream<T, K> localAggregation(boolean enabled) {
        return with(latenessMillis, lateTag, deadLetterTag, enabled);
    }

    /**
     * Keeps state in the format of Flink's own window operator, an entry for each key and window, so that
     * a savepoint can be restored by a job that uses it with {@link ExactAggregate}. Slower, and not as
     * compact as the default; meant for a last savepoint. A savepoint of either format can be restored
     * with the other.
     */
    public WindowedGpuStream<T, K> flinkState(boolean enabled) {
        return new WindowedGpuStream<>(
                keyed,
                assigner,
                shape,
                trigger,
                latenessMillis,
                lateTag,
                deadLetterTag,
                localAggregation,
                enabled);
    }

    /**
     * Results with their keys and windows; a result's timestamp is the last millisecond of its window.
     * The stream's side outputs are those asked for here. A sum of integers that does not fit a long
     * fails the job, naming column, key and window.
     *
     * <p>The stream stands for two operators. Its {@code uid} is the window operator's, which has the
     * state; the operator before it, which checks records and aggregates batches, gets the same with
     * {@code "-local"} behind it, and the parallelism of the input; behind a {@code rebalance()} or the
     * like, that of the job.
     *
     * @throws IllegalArgumentException if the aggregates do not fit together, a getter cannot be
     *     serialized, or the memory limit is too small for the batches
     */
    public SingleOutputStreamOperator<WindowResult<K>> aggregate(Aggregates<T> aggregates) {
        TypeInformation<WindowResult<K>> type =
                new WindowResultTypeInfo<>(
                        keyed.keys().type(), present(aggregates).checked().specs());
        return aggregate(aggregates, result -> result, type);
    }

    /**
     * Records made of the results, at most one of each, with the same timestamps.
     *
     * @throws IllegalArgumentException as above, and if the mapper cannot be serialized
     */
    public <R> SingleOutputStreamOperator<R> aggregate(
            Aggregates<T> aggregates, WindowMapper<K, R> mapper, TypeInformation<R> type) {
        JobChecks.present("type", type);
        return aggregate(
                keyed.keys(), present(aggregates).checked(), cleaned("mapper", mapper), type);
    }

    private <S, R> SingleOutputStreamOperator<R> aggregate(
            StateKeys<K, S> keys,
            Aggregates<T> aggregates,
            WindowMapper<K, R> mapper,
            TypeInformation<R> type) {
        List<ValueSpec> specs = aggregates.specs();
        for (int column = 0; column < specs.size(); column++) {
            requireGetter(aggregates.field(column));
            aggregates.otherFields(column).forEach(WindowedGpuStream::requireGetter);
            cleaned("getter", aggregates.getter(column));
            for (ValueGetter<T, ?> other : aggregates.others(column)) {
                if (other != null) {
                    cleaned("getter", other);
                }
            }
        }
        KeySelector<T, S> selector = keys.selector(keyed.selector());
        SingleOutputStreamOperator<WindowInput<S, T>> local = local(keys, selector, aggregates);
        WindowPlan<T, K, S, R> plan =
                new WindowPlan<>(
                        assigner,
                        shape,
                        trigger.checked(flinkState),
                        aggregates,
                        keys,
                        latenessMillis,
                        keyed.options().memoryLimitBytes(),
                        flinkState,
                        lateTag,
                        mapper,
                        keyed.options().errorValues());
        boolean sendsBlocks = sent() != Sent.RECORDS && !shape.isProcessingTime();
        return WindowStream.of(local, selector, sendsBlocks, plan, type, deadLetterTag);
    }

    private static <T> Aggregates<T> present(Aggregates<T> aggregates) {
        return JobChecks.present("aggregates", aggregates);
    }

    private Sent sent() {
        return localAggregation ? trigger.sent() : Sent.RECORDS;
    }

    private <S> SingleOutputStreamOperator<WindowInput<S, T>> local(
            StateKeys<K, S> keys, KeySelector<T, S> selector, Aggregates<T> aggregates) {
        GpuOptions options = keyed.options();
        List<ValueSpec> specs = aggregates.specs();
        if (sent() == Sent.GROUPS && specs.stream().allMatch(spec -> spec.cells().isEmpty())) {
            JobChecks.requireMemory(
                    options, LocalAggregateSpec.neededBytes(options.batchPolicy(), specs));
        }
        DataStream<T> stream = keyed.stream();
        SingleOutputStreamOperator<WindowInput<S, T>> local =
                stream.transform(
                        LOCAL,
                        new WindowInputTypeInfo<>(keys.stateType(), stream.getType()),
                        Backends.operators(
                                LocalAggregateSpec.of(
                                        selector,
                                        keys.stateType(),
                                        sent() == Sent.RECORDS
                                                ? aggregates
                                                : trigger.kept(aggregates),
                                        shape,
                                        sent(),
                                        deadLetterTag,
                                        trigger.maxHeldMillis(options.batchPolicy()),
                                        options),
                                options));
        return WindowStream.chained(local, stream);
    }

    private static void requireGetter(String field) {
        if (field != null) {
            throw Errors.argument(
                    "a field by name is one of GpuStreams.lines(..): field='%s'; give a getter"
                            + " here, for example Aggregates.of((Row row) -> ..)",
                    field);
        }
    }

    private <F> F cleaned(String name, F function) {
        return JobChecks.cleaned(keyed.stream().getExecutionEnvironment(), name, function);
    }

    private WindowedGpuStream<T, K> with(
            long lateness, OutputTag<T> late, OutputTag<DeadLetter<T>> deadLetters, boolean local) {
        return new WindowedGpuStream<>(
                keyed, assigner, shape, trigger, lateness, late, deadLetters, local, flinkState);
    }
}
