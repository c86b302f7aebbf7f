package io.flinkgpu.api;

import org.apache.flink.annotation.PublicEvolving;

import java.io.Serializable;

/** Reads a boxed value of a record. Travels in the job graph, so it must be serializable. */
@FunctionalInterface
@PublicEvolving
public interface ValueGetter<T, V> extends Serializable {

    /** The value, or null if the record has none; aggregates skip it then. */
    V get(T record);
}
