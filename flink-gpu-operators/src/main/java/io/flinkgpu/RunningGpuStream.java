package io.flinkgpu;

import io.flinkgpu.api.Aggregates;
import io.flinkgpu.api.DeadLetter;
import io.flinkgpu.api.WindowMapper;
import io.flinkgpu.api.WindowResult;

import org.apache.flink.annotation.PublicEvolving;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.util.OutputTag;

/**
 * Running aggregates of a keyed stream: of each key the result over all its records so far. A result is an
 * update, the whole value that takes the place of the key's last one, as an upsert by key; nothing is
 * retracted.
 *
 * <p>A change shows at most twice the time between updates after its record came: records wait as groups
 * before the shuffle, and groups after it, each as long; without local aggregation it is once. Of a key
 * there is at most one update in that time, but where the groups of a subtask do not fit in {@code
 * memoryLimitBytes}: what has changed is emitted before some of them go to state. At the end of the input
 * what has changed is emitted once more, in batch execution only then. After a restore each key is emitted
 * once, changed or not, as its last update may have been lost with the failure.
 *
 * <p>All keys are kept for ever, at some bytes each. Immutable: each method gives a changed
 * copy, so a call whose result is not used does nothing.
 */
@PublicEvolving
public final class RunningGpuStream<T, K> {

    private final WindowedGpuStream<T, K> windowed;

    RunningGpuStream(WindowedGpuStream<T, K> windowed) {
        this.windowed = windowed;
    }

    /**
     * Where records go that cannot be aggregated: with a null key, with a value out of its type's range,
     * or of which the selector or a getter throws. Without this, such a record fails the job.
     */
    public RunningGpuStream<T, K> deadLetters(OutputTag<DeadLetter<T>> tag) {
        return new RunningGpuStream<>(windowed.deadLetters(tag));
    }

    /**
     * Whether records are aggregated before they are sent to the subtask of their key; true if not
     * called.
     */
    public RunningGpuStream<T, K> localAggregation(boolean enabled) {
        return new RunningGpuStream<>(windowed.localAggregation(enabled));
    }

    /**
     * Results with their keys, in the window of all time and without timestamps. The stream's side output
     * is that asked for here. A sum of integers that does not fit a long fails the job, naming column and
     * key.
     *
     * <p>The stream stands for two operators, as that of {@link WindowedGpuStream#aggregate(Aggregates)}
     * does.
     *
     * @throws IllegalArgumentException if the aggregates do not fit together, a getter cannot be
     *     serialized, or the memory limit is too small for the batches
     */
    public SingleOutputStreamOperator<WindowResult<K>> aggregate(Aggregates<T> aggregates) {
        return windowed.aggregate(aggregates);
    }

    /**
     * Records made of the results, at most one of each.
     *
     * @throws IllegalArgumentException as above, and if the mapper cannot be serialized
     */
    public <R> SingleOutputStreamOperator<R> aggregate(
            Aggregates<T> aggregates, WindowMapper<K, R> mapper, TypeInformation<R> type) {
        return windowed.aggregate(aggregates, mapper, type);
    }
}
