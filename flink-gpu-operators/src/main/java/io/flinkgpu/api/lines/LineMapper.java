package io.flinkgpu.api.lines;

import org.apache.flink.annotation.PublicEvolving;

import java.io.Serializable;

/**
 * Makes a record of a line's fields. Travels in the job graph, so it must be serializable.
 *
 * @param <T> the record
 */
@FunctionalInterface
@PublicEvolving
public interface LineMapper<T> extends Serializable {

    /** The record, or null for none. What it throws fails the job. */
    T map(LineFields fields);
}
