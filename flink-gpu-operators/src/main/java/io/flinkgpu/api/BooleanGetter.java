package io.flinkgpu.api;

import org.apache.flink.annotation.PublicEvolving;

import java.io.Serializable;

/** Reads a boolean of a record. Travels in the job graph, so it must be serializable. */
@FunctionalInterface
@PublicEvolving
public interface BooleanGetter<T> extends Serializable {

    /** The boolean of a record, which is not kept. */
    boolean get(T record);
}
