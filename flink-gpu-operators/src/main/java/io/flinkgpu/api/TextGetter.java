package io.flinkgpu.api;

import org.apache.flink.annotation.PublicEvolving;

import java.io.Serializable;

/** Reads the text of a record. Travels in the job graph, so it must be serializable. */
@FunctionalInterface
@PublicEvolving
public interface TextGetter<T> extends Serializable {

    /** The text, or null if the record has none. */
    String get(T record);
}
