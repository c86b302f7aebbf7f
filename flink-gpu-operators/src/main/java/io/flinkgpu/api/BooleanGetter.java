package io.flinkgpu.api;

import java.io.Serializable;

/** Reads a boolean of a record. Travels in the job graph, so it must be serializable. */
@FunctionalInterface
public interface BooleanGetter<T> extends Serializable {

    boolean get(T record);
}
