package io.flinkgpu.sql.operator;

import io.flinkgpu.backend.plan.TransformedBatch;
import io.flinkgpu.operator.BatchContext;
import io.flinkgpu.operator.BatchEmitter;
import io.flinkgpu.operator.DeviceTime;

import org.apache.flink.streaming.api.operators.Output;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.table.data.RowData;

/** Emits rows that were kept with what was computed for them; a row without a row of a batch is whole. */
final class CalcResults implements BatchEmitter<RowData, TransformedBatch> {

    private final Output<StreamRecord<RowData>> output;
    private final DeviceTime deviceTime;
    private final Computed computed;
    private final CalcRow row;

    CalcResults(CalcSpec spec, boolean copied, BatchContext<RowData, RowData> context) {
        output = context.output();
        deviceTime = new DeviceTime(context.metrics());
        computed = new Computed(spec.program().resultTypes());
        row = new CalcRow(spec.columns(copied), computed);
    }

    @Override
    public int start(TransformedBatch part) {
        deviceTime.add(part.deviceNanos());
        computed.start(part.columns());
        return part.columns().rows();
    }

    @Override
    public void emit(StreamRecord<RowData> record, int firstRow, int rows, boolean last) {
        if (rows > 0) {
            computed.read(firstRow);
            record.replace(row.of(record.getValue()));
        }
        output.collect(record);
    }
}
