package io.flinkgpu.operator.transform;

import io.flinkgpu.api.BatchPolicy;
import io.flinkgpu.backend.RowProgram;
import io.flinkgpu.backend.plan.TransformedBatch;
import io.flinkgpu.operator.BatchEmitter;
import io.flinkgpu.operator.BatchInput;
import io.flinkgpu.operator.DeviceTime;

import org.apache.flink.metrics.Counter;
import org.apache.flink.streaming.api.operators.Output;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

import org.apache.arrow.memory.BufferAllocator;

import java.io.Serializable;
import java.util.function.Predicate;

/**
 * How records become rows of the columns that a program reads, and its results records. Travels in the
 * job graph.
 */
public sealed interface TransformCodec<IN, OUT> extends Serializable permits RowCodec, LineCodec {

    /** Where records go; asked for once, when the operator opens. */
    BatchInput<IN> input(BufferAllocator allocator, BatchPolicy policy);

    /**
     * Makes records of results; asked for once, when the operator opens.
     *
     * @param deviceTime adds up how long each result took
     */
    BatchEmitter<IN, TransformedBatch> emitter(
            Output<StreamRecord<OUT>> output, DeviceTime deviceTime);

    /**
     * What computes records one at a time; asked for at open.
     *
     * @param counter of the records that it computes
     * @return null where a record is more than a row
     */
    default Predicate<StreamRecord<IN>> singleRows(
            RowProgram program, Output<StreamRecord<OUT>> output, Counter counter) {
        return null;
    }
}
