package io.flinkgpu.api.search;

import org.apache.flink.annotation.PublicEvolving;

import java.io.Serializable;

/**
 * Makes a record of what was found for a query. Travels in the job graph, so it must be serializable.
 *
 * @param <Q> the query's record
 * @param <R> the record
 */
@FunctionalInterface
@PublicEvolving
public interface SearchMapper<Q, R> extends Serializable {

    /** The record, or null for none. What it throws fails the job. */
    R map(SearchResult<Q> result);
}
