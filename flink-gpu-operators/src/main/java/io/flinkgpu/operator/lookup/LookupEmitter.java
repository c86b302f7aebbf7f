package io.flinkgpu.operator.lookup;

import io.flinkgpu.backend.plan.TransformedBatch;
import io.flinkgpu.operator.BatchEmitter;
import io.flinkgpu.operator.DeviceTime;

import org.apache.flink.streaming.api.operators.Output;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

/** Emits what was looked up. Task thread only. */
final class LookupEmitter<Q, OUT> implements BatchEmitter<Q, TransformedBatch> {

    private final ResultMapper<Q, OUT> mapper;
    private final Output<StreamRecord<OUT>> output;
    private final DeviceTime deviceTime;
    private FoundValues found;

    LookupEmitter(
            ResultMapper<Q, OUT> mapper, Output<StreamRecord<OUT>> output, DeviceTime deviceTime) {
        this.mapper = mapper;
        this.output = output;
        this.deviceTime = deviceTime;
    }

    @Override
    public int start(TransformedBatch started) {
        found = new FoundValues(started);
        deviceTime.add(started.deviceNanos());
        return started.columns().rows();
    }

    @Override
    public void emit(StreamRecord<Q> record, int firstRow, int rows, boolean last) {
        OUT result = mapper.map(record.getValue(), found.at(firstRow));
        if (result != null) {
            output.collect(record.replace(result));
        }
    }
}
