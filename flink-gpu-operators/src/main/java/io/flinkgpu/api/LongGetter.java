package io.flinkgpu.api;

import org.apache.flink.annotation.PublicEvolving;

import java.io.Serializable;

/** Reads a long of a record. Travels in the job graph, so it must be serializable. */
@FunctionalInterface
@PublicEvolving
public interface LongGetter<T> extends Serializable {

    long get(T record);
}
