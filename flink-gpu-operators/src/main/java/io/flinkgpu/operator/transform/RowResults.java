package io.flinkgpu.operator.transform;

import io.flinkgpu.api.ColumnType;
import io.flinkgpu.api.ErrorValues;
import io.flinkgpu.api.TransformMapper;
import io.flinkgpu.backend.plan.TransformedBatch;
import io.flinkgpu.column.ColumnBatch;
import io.flinkgpu.column.ResultReader;
import io.flinkgpu.operator.BatchContext;
import io.flinkgpu.operator.BatchEmitter;
import io.flinkgpu.operator.DeviceTime;

import org.apache.flink.streaming.api.operators.Output;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.types.Row;
import org.apache.flink.types.RowKind;
import org.apache.flink.types.RowUtils;

import java.util.LinkedHashMap;
import java.util.List;

/** Emits what a mapper makes of each record and the row of its results. */
final class RowResults<T, R> implements BatchEmitter<T, TransformedBatch> {

    private final List<ColumnType> types;
    private final LinkedHashMap<String, Integer> positions = new LinkedHashMap<>();
    private final TransformMapper<T, R> mapper;
    private final Output<StreamRecord<R>> output;
    private final DeviceTime deviceTime;
    private final ResultReader[] readers;
    private final ErrorValues errors;

    /**
     * @param types of the results
     * @param names of the results
     */
    RowResults(
            List<ColumnType> types,
            List<String> names,
            TransformMapper<T, R> mapper,
            BatchContext<T, R> context) {
        names.forEach(name -> positions.put(name, positions.size()));
        this.types = types;
        this.mapper = mapper;
        this.output = context.output();
        this.deviceTime = new DeviceTime(context.metrics());
        this.readers = new ResultReader[types.size()];
        this.errors = context.options().errorValues();
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
        emit(record, fields);
    }

    /**
     * Emits a record of others' time, or none if the mapper makes none.
     *
     * @param record reused for what is emitted
     * @param fields of the row, which takes them over
     */
    void emit(StreamRecord<T> record, Object[] fields) {
        Row row = RowUtils.createRowWithNamedPositions(RowKind.INSERT, fields, positions);
        R result = map(record.getValue(), row);
        if (result != null) {
            output.collect(record.replace(result));
        }
    }

    private R map(T record, Row row) {
        try {
            return mapper.map(record, row);
        } catch (RuntimeException e) {
            throw new IllegalStateException(
                    "a mapper must not throw: error=" + errors.thrown(e) + errors.remedy(),
                    errors.cause(e));
        }
    }
}
