package io.flinkgpu.operator.search;

import io.flinkgpu.api.ErrorValues;
import io.flinkgpu.api.search.SearchMapper;
import io.flinkgpu.api.search.SearchResult;
import io.flinkgpu.api.search.SetMatches;

import org.apache.flink.annotation.Internal;

import java.io.Serializable;
import java.util.Objects;

/**
 * The user's mapper, whose errors show nothing of a query unless the job asks for it. Travels in the job graph.
 *
 * @param <Q> a query's record
 * @param <R> what is made of its answer
 */
@Internal
public record AnswerMapper<Q, R>(SearchMapper<Q, R> mapper, ErrorValues errors)
        implements Serializable {

    private static final long serialVersionUID = 1L;

    public AnswerMapper {
        Objects.requireNonNull(mapper, "mapper");
        Objects.requireNonNull(errors, "errors");
    }

    /**
     * What the mapper makes of an answer; null for nothing.
     *
     * @throws IllegalStateException if it throws
     */
    R map(Q record, SetMatches matches) {
        try {
            return mapper.map(new SearchResult<>(record, matches));
        } catch (RuntimeException e) {
            throw new IllegalStateException(
                    "a mapper must not throw: error=" + errors.thrown(e) + errors.remedy(),
                    errors.cause(e));
        }
    }
}
