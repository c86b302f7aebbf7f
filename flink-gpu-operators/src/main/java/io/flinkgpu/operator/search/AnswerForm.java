package io.flinkgpu.operator.search;

import io.flinkgpu.api.search.SetMatches;

import org.apache.flink.annotation.Internal;
import org.apache.flink.api.common.TaskInfo;

import java.io.Serializable;

/**
 * What a shard emits of what it found. Travels in the job graph.
 *
 * @param <Q> a query's record
 * @param <OUT> what is emitted
 */
@Internal
public sealed interface AnswerForm<Q, OUT> extends Serializable {

    /**
     * @param timestamp of the query; {@link PartialAnswer#NO_TIMESTAMP} if it has none
     * @return null if nothing is emitted
     */
    OUT of(NumberedQuery<Q> query, long timestamp, SetMatches matches);

    /** The same form in a shard. */
    default AnswerForm<Q, OUT> in(TaskInfo shard) {
        return this;
    }

    /** Whether it is right only where there are no other shards. */
    default boolean isWhole() {
        return true;
    }

    /** Answers that are to be merged with those of other shards. */
    record Partial<Q>(int shard, int shards) implements AnswerForm<Q, PartialAnswer<Q>> {

        private static final long serialVersionUID = 1L;

        @Override
        public AnswerForm<Q, PartialAnswer<Q>> in(TaskInfo task) {
            return new Partial<>(task.getIndexOfThisSubtask(), task.getNumberOfParallelSubtasks());
        }

        @Override
        public boolean isWhole() {
            return false;
        }

        @Override
        public PartialAnswer<Q> of(NumberedQuery<Q> query, long timestamp, SetMatches matches) {
            return new PartialAnswer<>(
                    query.origin(),
                    query.number(),
                    timestamp,
                    shards,
                    query.query().k(),
                    shard == 0 ? query.record() : null,
                    matches);
        }
    }

    /** What a mapper makes of the answers of the only shard. */
    record Whole<Q, R>(AnswerMapper<Q, R> mapper) implements AnswerForm<Q, R> {

        private static final long serialVersionUID = 1L;

        @Override
        public R of(NumberedQuery<Q> query, long timestamp, SetMatches matches) {
            return mapper.map(query.record(), matches);
        }
    }
}
