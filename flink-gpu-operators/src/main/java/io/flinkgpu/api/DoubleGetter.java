package io.flinkgpu.api;

import java.io.Serializable;

/** Reads a double of a record. Travels in the job graph, so it must be serializable. */
@FunctionalInterface
public interface DoubleGetter<T> extends Serializable {

    double get(T record);
}
