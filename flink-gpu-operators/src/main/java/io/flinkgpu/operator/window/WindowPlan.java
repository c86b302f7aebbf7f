package io.flinkgpu.operator.window;

import io.flinkgpu.api.Aggregates;
import io.flinkgpu.api.ErrorValues;
import io.flinkgpu.api.WindowMapper;

import org.apache.flink.annotation.Internal;
import org.apache.flink.streaming.api.windowing.assigners.WindowAssigner;
import org.apache.flink.util.OutputTag;

import java.io.Serializable;
import java.util.Objects;

/**
 * What is computed of which windows. Travels in the job graph.
 *
 * @param assigner one that {@link WindowShape#of} accepts
 * @param trigger when windows fire
 * @param keys how the user's keys are kept in state
 * @param latenessMillis how long behind the watermark a window still takes records
 * @param stateMemoryBytes how much memory the groups of a subtask's windows may take
 * @param flinkState whether state is to have the format of Flink's window operator
 * @param lateTag where records later than that go; null if they are dropped and counted
 * @param mapper makes the records that are emitted
 * @param errors writes values into messages
 * @param <T> the record
 * @param <K> the user's key
 * @param <S> the key in state
 * @param <R> what is emitted
 */
@Internal
public record WindowPlan<T, K, S, R>(
        WindowAssigner<Object, ?> assigner,
        WindowShape shape,
        WindowTrigger trigger,
        Aggregates<T> aggregates,
        StateKeys<K, S> keys,
        long latenessMillis,
        long stateMemoryBytes,
        boolean flinkState,
        OutputTag<T> lateTag,
        WindowMapper<K, R> mapper,
        ErrorValues errors)
        implements Serializable {

    private static final long serialVersionUID = 1L;

    /** Whether groups are kept in tables; else in Flink's state, a partial for each key and window. */
    public boolean keepsTables() {
        return !flinkState;
    }

    /** What tables keep of a key. */
    public Aggregates<T> tableAggregates() {
        return trigger.kept(aggregates);
    }

    public WindowPlan {
        Objects.requireNonNull(assigner, "assigner");
        Objects.requireNonNull(shape, "shape");
        Objects.requireNonNull(trigger, "trigger");
        Objects.requireNonNull(aggregates, "aggregates");
        Objects.requireNonNull(keys, "keys");
        Objects.requireNonNull(mapper, "mapper");
        Objects.requireNonNull(errors, "errors");
    }
}
