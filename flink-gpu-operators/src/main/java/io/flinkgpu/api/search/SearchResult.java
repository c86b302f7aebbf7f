package io.flinkgpu.api.search;

import org.apache.flink.annotation.PublicEvolving;
import org.apache.flink.api.common.typeinfo.TypeInfo;

import java.util.Objects;

/**
 * A query with what was found for it. Its Flink type is a {@link SearchResultTypeInfo}.
 *
 * @param <Q> the query's record
 * @param query not null
 */
@TypeInfo(SearchResultTypeInfo.Factory.class)
@PublicEvolving
public record SearchResult<Q>(Q query, SetMatches matches) {

    public SearchResult {
        Objects.requireNonNull(query, "query");
        Objects.requireNonNull(matches, "matches");
    }

    /** Without what the query contains and which documents were found. */
    @Override
    public String toString() {
        return "SearchResult["
                + query.getClass().getSimpleName()
                + ", documents="
                + matches.count()
                + "]";
    }
}
