package io.flinkgpu;

import io.flinkgpu.api.Errors;
import io.flinkgpu.api.GpuOptions;
import io.flinkgpu.operator.window.StateKeys;
import io.flinkgpu.operator.window.WindowShape;
import io.flinkgpu.operator.window.WindowTrigger;

import org.apache.flink.annotation.PublicEvolving;
import org.apache.flink.api.dag.Transformation;
import org.apache.flink.api.java.functions.KeySelector;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.transformations.PartitionTransformation;
import org.apache.flink.streaming.api.windowing.assigners.GlobalWindows;
import org.apache.flink.streaming.api.windowing.assigners.WindowAssigner;
import org.apache.flink.streaming.api.windowing.triggers.CountTrigger;
import org.apache.flink.streaming.api.windowing.triggers.PurgingTrigger;
import org.apache.flink.streaming.runtime.partitioner.KeyGroupStreamPartitioner;
import org.apache.flink.streaming.runtime.partitioner.StreamPartitioner;

import java.time.Duration;

/** A stream grouped by a key. */
@PublicEvolving
public final class KeyedGpuStream<T, K> {

    private static final Duration MAX_EVERY = Duration.ofDays(365);

    private final DataStream<T> stream;
    private final GpuOptions options;
    private final KeySelector<T, K> selector;
    private final StateKeys<K, ?> keys;

    KeyedGpuStream(
            DataStream<T> stream,
            GpuOptions options,
            KeySelector<T, K> selector,
            StateKeys<K, ?> keys) {
        this.stream =
                new DataStream<>(
                        stream.getExecutionEnvironment(), records(stream.getTransformation()));
        this.options = options;
        this.selector = selector;
        this.keys = keys;
    }

    /**
     * Cuts the stream into windows with one of Flink's assigners: tumbling and sliding windows in event
     * time or processing time, event-time sessions with a fixed gap, and {@code GlobalWindows}, of which
     * those without the trigger of the end of the stream need a trigger of their own.
     *
     * @throws IllegalArgumentException for any other assigner, naming Flink's own operator as the way
     */
    @SuppressWarnings("unchecked") // All assigners with a shape take any object.
    public WindowedGpuStream<T, K> window(WindowAssigner<? super T, ?> assigner) {
        WindowTrigger trigger = WindowTrigger.of(JobChecks.present("assigner", assigner));
        WindowShape shape =
                trigger.kind() == WindowTrigger.Kind.NEVER
                        ? WindowShape.global()
                        : WindowShape.of(assigner);
        return new WindowedGpuStream<>(this, (WindowAssigner<Object, ?>) assigner, shape, trigger);
    }

    /**
     * Cuts the records of each key into windows of so many, as {@code KeyedStream.countWindow(size)} does.
     * What is left at the end of the input is not emitted.
     *
     * @param size at least 1
     * @throws IllegalArgumentException if it is less
     */
    public WindowedGpuStream<T, K> countWindow(long size) {
        if (size < 1) {
            throw Errors.argument(
                    "a window of some records has at least one: size=%s; give how many it has",
                    size);
        }
        return window(GlobalWindows.create()).trigger(PurgingTrigger.of(CountTrigger.of(size)));
    }

    /**
     * Aggregates all records of a key, without a window, and emits the result again and again: the keys
     * whose records are new since, at most once in this time.
     *
     * @param every a millisecond to 365 days
     * @throws IllegalArgumentException if it is less or more
     */
    public RunningGpuStream<T, K> every(Duration every) {
        JobChecks.present("every", every);
        if (every.compareTo(Duration.ofMillis(1)) < 0 || every.compareTo(MAX_EVERY) > 0) {
            throw Errors.argument(
                    "updates are a millisecond to 365 days apart: every=%s; give another time, for"
                            + " example Duration.ofSeconds(1)",
                    every);
        }
        GlobalWindows allTime = GlobalWindows.createWithEndOfStreamTrigger();
        return new RunningGpuStream<>(
                new WindowedGpuStream<>(
                        this,
                        allTime,
                        WindowShape.of(allTime),
                        WindowTrigger.running(every.toMillis())));
    }

    DataStream<T> stream() {
        return stream;
    }

    GpuOptions options() {
        return options;
    }

    KeySelector<T, K> selector() {
        return selector;
    }

    StateKeys<K, ?> keys() {
        return keys;
    }

    /**
     * The records without a key, which would become that of our operator, and each once: the partitioning
     * of Flink's keyBy takes the place of one to all subtasks.
     */
    private static <T> Transformation<T> records(Transformation<T> stream) {
        if (stream instanceof PartitionTransformation<T> partitioned) {
            StreamPartitioner<T> partitioner = partitioned.getPartitioner();
            if (partitioner.isBroadcast() || partitioner instanceof KeyGroupStreamPartitioner) {
                return unpartitioned(stream);
            }
        }
        return stream;
    }

    @SuppressWarnings("unchecked") // A partitioning does not change the records.
    private static <T> Transformation<T> unpartitioned(Transformation<T> stream) {
        Transformation<T> input = stream;
        while (input instanceof PartitionTransformation) {
            input = (Transformation<T>) input.getInputs().get(0);
        }
        return input;
    }
}
