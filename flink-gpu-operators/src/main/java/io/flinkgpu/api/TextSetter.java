package io.flinkgpu.api;

import org.apache.flink.annotation.PublicEvolving;

import java.io.Serializable;

/** Puts another text into a record. Travels in the job graph, so it must be serializable. */
@FunctionalInterface
@PublicEvolving
public interface TextSetter<T> extends Serializable {

    /**
     * The record with this text: a copy, or the same object changed. Not called for unchanged text. The
     * getter has to read this text from it, or the job fails and the record is not emitted.
     */
    T with(T record, String text);
}
