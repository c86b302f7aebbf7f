package io.flinkgpu;

import io.flinkgpu.api.Aggregates;
import io.flinkgpu.api.DeadLetter;
import io.flinkgpu.api.WindowMapper;
import io.flinkgpu.api.WindowResult;

import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.windowing.triggers.Trigger;
import org.apache.flink.util.OutputTag;

import java.time.Duration;

/**
 * Windows of a keyed stream. They hold the same rows, fire at the same watermarks and treat late
 * records the same as those of Flink's {@code WindowedStream.aggregate}. Immutable: each method gives a
 * changed copy.
 */
public final class WindowedGpuStream<T, K> {

    WindowedGpuStream() {}

    /**
     * Accepts the assigner's default trigger, which is what is used anyway.
     *
     * @throws IllegalArgumentException for any other, naming Flink's own operator as the way
     */
    public WindowedGpuStream<T, K> trigger(Trigger<? super T, ?> trigger) {
        throw new UnsupportedOperationException();
    }

    /** How long behind the watermark a window still takes records; each makes it fire again. */
    public WindowedGpuStream<T, K> allowedLateness(Duration lateness) {
        throw new UnsupportedOperationException();
    }

    /** Where records later than that go, instead of being dropped and counted. */
    public WindowedGpuStream<T, K> sideOutputLateData(OutputTag<T> tag) {
        throw new UnsupportedOperationException();
    }

    /**
     * Where records go that cannot be aggregated: with a null key, without a timestamp, with a value
     * out of its type's range. Without this, such a record fails the job.
     */
    public WindowedGpuStream<T, K> deadLetters(OutputTag<DeadLetter<T>> tag) {
        throw new UnsupportedOperationException();
    }

    /**
     * Whether batches are aggregated before records are sent to the subtask of their key; true if not
     * called. Processing-time windows are never aggregated before.
     */
    public WindowedGpuStream<T, K> localAggregation(boolean enabled) {
        throw new UnsupportedOperationException();
    }

    /**
     * Results with their keys and windows. The stream's side outputs are those asked for here.
     *
     * @throws IllegalArgumentException if the aggregates do not fit together
     */
    public SingleOutputStreamOperator<WindowResult<K>> aggregate(Aggregates<T> aggregates) {
        throw new UnsupportedOperationException();
    }

    /** Records made of the results. */
    public <R> SingleOutputStreamOperator<R> aggregate(
            Aggregates<T> aggregates, WindowMapper<K, R> mapper, TypeInformation<R> type) {
        throw new UnsupportedOperationException();
    }
}
