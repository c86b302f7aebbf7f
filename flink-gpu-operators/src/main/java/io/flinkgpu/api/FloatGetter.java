package io.flinkgpu.api;

import org.apache.flink.annotation.PublicEvolving;

import java.io.Serializable;

/** Reads a float of a record. Travels in the job graph, so it must be serializable. */
@FunctionalInterface
@PublicEvolving
public interface FloatGetter<T> extends Serializable {

    /** The number of a record, which is not kept. */
    float get(T record);
}
