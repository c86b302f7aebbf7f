package io.flinkgpu.operator.transform;

import io.flinkgpu.api.ColumnType;
import io.flinkgpu.backend.plan.TransformedBatch;
import io.flinkgpu.column.ColumnBatch;
import io.flinkgpu.column.ResultReader;
import io.flinkgpu.operator.BatchEmitter;
import io.flinkgpu.operator.DeviceTime;

import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

import java.util.List;

/** Emits what a mapper makes of each record and its results. */
final class RowEmitter<T, R> implements BatchEmitter<T, TransformedBatch> {

    private final List<ColumnType> types;
    private final RowOutput<T, R> output;
    private final DeviceTime deviceTime;
    private final ResultReader[] readers;

    RowEmitter(List<ColumnType> types, RowOutput<T, R> output, DeviceTime deviceTime) {
        this.types = types;
        this.output = output;
        this.deviceTime = deviceTime;
        this.readers = new ResultReader[types.size()];
    }

    @Override
    public int start(TransformedBatch part) {
        deviceTime.add(part.deviceNanos());
        ColumnBatch columns = part.columns();
        for (int i = 0; i < readers.length; i++) {
            readers[i] = new ResultReader(columns, i, types.get(i));
        }
        return columns.rows();
    }

    @Override
    public void emit(StreamRecord<T> record, int firstRow, int rows, boolean last) {
        Object[] fields = new Object[readers.length];
        for (int i = 0; i < fields.length; i++) {
            fields[i] = readers[i].get(firstRow);
        }
        output.emit(record, fields);
    }

    @Override
    public void completed(int rows, int bytes) {
        // Nothing spans the parts of a batch.
    }
}
