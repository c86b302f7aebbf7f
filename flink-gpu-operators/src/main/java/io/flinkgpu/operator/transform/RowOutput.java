package io.flinkgpu.operator.transform;

import io.flinkgpu.api.TransformMapper;

import org.apache.flink.streaming.api.operators.Output;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.types.Row;
import org.apache.flink.types.RowKind;
import org.apache.flink.types.RowUtils;

import java.util.LinkedHashMap;
import java.util.List;

/** Emits what a mapper makes of records and the rows of their results. */
final class RowOutput<T, R> {

    private final LinkedHashMap<String, Integer> positions = new LinkedHashMap<>();
    private final TransformMapper<T, R> mapper;
    private final Output<StreamRecord<R>> output;

    RowOutput(List<String> names, TransformMapper<T, R> mapper, Output<StreamRecord<R>> output) {
        names.forEach(name -> positions.put(name, positions.size()));
        this.mapper = mapper;
        this.output = output;
    }

    /**
     * Emits a record of others' time, or none if the mapper makes none.
     *
     * @param record reused for what is emitted
     * @param fields of the row, which takes them over
     */
    void emit(StreamRecord<T> record, Object[] fields) {
        Row row = RowUtils.createRowWithNamedPositions(RowKind.INSERT, fields, positions);
        R result = mapper.map(record.getValue(), row);
        if (result != null) {
            output.collect(record.replace(result));
        }
    }
}
