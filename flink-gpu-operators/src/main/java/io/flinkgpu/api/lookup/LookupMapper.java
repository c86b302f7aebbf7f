package io.flinkgpu.api.lookup;

import org.apache.flink.annotation.PublicEvolving;

import java.io.Serializable;

/**
 * Makes a record of what was found. Travels in the job graph, so it must be serializable.
 *
 * @param <Q> a request's record
 * @param <R> what is made
 */
@FunctionalInterface
@PublicEvolving
public interface LookupMapper<Q, R> extends Serializable {

    /** The record, or null for none. */
    R map(LookupResult<Q> result);
}
