package io.flinkgpu.api;

import org.apache.flink.annotation.PublicEvolving;

import java.io.Serializable;

/**
 * Makes a record of a window's results. Travels in the job graph, so it must be serializable.
 *
 * @param <K> the key
 * @param <R> the record
 */
@FunctionalInterface
@PublicEvolving
public interface WindowMapper<K, R> extends Serializable {

    /** The record, or null for none. What it throws fails the job. */
    R map(WindowResult<K> result);
}
