package io.flinkgpu.api;

import java.io.Serializable;

/** Reads an int of a record. Travels in the job graph, so it must be serializable. */
@FunctionalInterface
public interface IntGetter<T> extends Serializable {

    int get(T record);
}
