package io.flinkgpu.operator.lookup;

import io.flinkgpu.api.lookup.LookupValues;
import io.flinkgpu.backend.plan.EmbeddingPlan;
import io.flinkgpu.backend.plan.TransformedBatch;
import io.flinkgpu.operator.BatchEmitter;
import io.flinkgpu.operator.DeviceTime;

import org.apache.flink.streaming.api.operators.Output;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.complex.ListVector;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Emits what was looked up. Task thread only. */
final class LookupEmitter<Q, OUT> implements BatchEmitter<TableRequest<Q>, TransformedBatch> {

    private final ResultMapper<Q, OUT> mapper;
    private final Output<StreamRecord<OUT>> output;
    private final DeviceTime deviceTime;
    private ListVector values;
    private ListVector ends;

    LookupEmitter(
            ResultMapper<Q, OUT> mapper, Output<StreamRecord<OUT>> output, DeviceTime deviceTime) {
        this.mapper = mapper;
        this.output = output;
        this.deviceTime = deviceTime;
    }

    @Override
    public int start(TransformedBatch started) {
        values = (ListVector) started.columns().vector(EmbeddingPlan.VALUES_COLUMN);
        ends = (ListVector) started.columns().vector(EmbeddingPlan.ENDS_COLUMN);
        deviceTime.add(started.deviceNanos());
        return started.columns().rows();
    }

    @Override
    public void emit(StreamRecord<TableRequest<Q>> record, int firstRow, int rows, boolean last) {
        OUT result = mapper.map(record.getValue().record(), found(firstRow));
        if (result != null) {
            output.collect(record.replace(result));
        }
    }

    private LookupValues found(int row) {
        float[] floats = new float[length(values, row)];
        if (floats.length > 0) {
            bytes(values, row, floats.length * Float.BYTES).asFloatBuffer().get(floats);
        }
        int[] ints = new int[length(ends, row)];
        if (ints.length > 0) {
            bytes(ends, row, ints.length * Integer.BYTES).asIntBuffer().get(ints);
        }
        return new LookupValues(floats, ints);
    }

    private static int length(ListVector lists, int row) {
        return lists.getElementEndIndex(row) - lists.getElementStartIndex(row);
    }

    private static ByteBuffer bytes(ListVector lists, int row, int bytes) {
        FieldVector elements = lists.getDataVector();
        return elements.getDataBuffer()
                .nioBuffer((long) Integer.BYTES * lists.getElementStartIndex(row), bytes)
                .order(ByteOrder.nativeOrder());
    }
}
