package io.flinkgpu.api;

import org.apache.flink.annotation.PublicEvolving;
import org.apache.flink.types.Row;

import java.io.Serializable;

/**
 * Makes a record of another one and of what expressions gave for it. Travels in the job graph, so it
 * must be serializable.
 *
 * @param <T> the record that the expressions read
 * @param <R> the record that is made
 */
@FunctionalInterface
@PublicEvolving
public interface TransformMapper<T, R> extends Serializable {

    /**
     * The record, or null for none.
     *
     * @param results by name and by position; the mapper's from here on
     */
    R map(T record, Row results);
}
