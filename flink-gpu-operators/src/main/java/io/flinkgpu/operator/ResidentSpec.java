package io.flinkgpu.operator;

import io.flinkgpu.api.BatchPolicy;

import org.apache.flink.annotation.Internal;
import org.apache.flink.api.common.state.MapStateDescriptor;

import org.apache.arrow.memory.BufferAllocator;

import java.io.Serializable;

/**
 * Something resident that a stream of changes is applied to: what a change is about, and how it becomes a
 * row. Travels in the job graph.
 *
 * @param <K> what changes are told apart by, with {@code equals} and {@code hashCode} by content
 * @param <C> a change: a new value for a key, or its removal
 */
@Internal
public interface ResidentSpec<K, C> extends Serializable {

    /** What a change is about. */
    K key(C change);

    /** Whether nothing is left of the key after the change. */
    boolean removes(C change);

    /** Where changes go; asked for once, when the operator opens. */
    BatchInput<C> input(BufferAllocator allocator, BatchPolicy policy);

    /** Keeps the last change of each key, those that remove it aside: the resident's copy on the host. */
    MapStateDescriptor<K, C> state();
}
