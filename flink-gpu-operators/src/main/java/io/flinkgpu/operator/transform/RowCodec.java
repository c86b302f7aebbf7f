package io.flinkgpu.operator.transform;

import io.flinkgpu.api.BatchPolicy;
import io.flinkgpu.api.ColumnType;
import io.flinkgpu.api.TransformMapper;
import io.flinkgpu.api.expression.Columns;
import io.flinkgpu.backend.RowProgram;
import io.flinkgpu.backend.plan.TransformedBatch;
import io.flinkgpu.column.RowBatchBuilder;
import io.flinkgpu.column.RowReader;
import io.flinkgpu.column.RowValues;
import io.flinkgpu.operator.BatchEmitter;
import io.flinkgpu.operator.BatchInput;
import io.flinkgpu.operator.DeviceTime;
import io.flinkgpu.program.Program;

import org.apache.flink.metrics.Counter;
import org.apache.flink.streaming.api.operators.Output;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

import org.apache.arrow.memory.BufferAllocator;

import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;

/**
 * A row a record. A record leaves as what the mapper makes of it and of its results, or not at all.
 *
 * @param <T> what comes in
 * @param <R> what goes out
 */
public final class RowCodec<T, R> implements TransformCodec<T, R> {

    private static final long serialVersionUID = 1L;

    private final Columns<T> columns;
    private final List<String> names;
    private final List<ColumnType> types;
    private final List<String> resultNames;
    private final List<ColumnType> resultTypes;
    private final TransformMapper<T, R> mapper;

    /**
     * @param columns how records are read
     * @param program tells which columns are read and what the results are
     * @param resultNames of the program's results, in order
     */
    public RowCodec(
            Columns<T> columns,
            Program program,
            List<String> resultNames,
            TransformMapper<T, R> mapper) {
        this.columns = Objects.requireNonNull(columns, "columns");
        this.names = program.columns();
        this.types = program.types();
        this.resultNames = List.copyOf(resultNames);
        this.resultTypes = program.resultTypes();
        this.mapper = Objects.requireNonNull(mapper, "mapper");
    }

    @Override
    public BatchInput<T> input(BufferAllocator allocator, BatchPolicy policy) {
        RowBatchBuilder builder =
                new RowBatchBuilder(allocator, policy.maxRows(), policy.maxBytes(), names, types);
        RowReader<T> reader = new RowReader<>(columns, names);
        RowValues values = new RowValues(names.size());
        return new BatchInput<>(
                builder,
                record -> {
                    reader.read(record, values);
                    return builder.append(values);
                });
    }

    @Override
    public BatchEmitter<T, TransformedBatch> emitter(
            Output<StreamRecord<R>> output, DeviceTime deviceTime) {
        return new RowEmitter<>(resultTypes, rowOutput(output), deviceTime);
    }

    @Override
    public Predicate<StreamRecord<T>> singleRows(
            RowProgram program, Output<StreamRecord<R>> output, Counter counter) {
        RowReader<T> reader = new RowReader<>(columns, names);
        return new SingleRows<>(program, reader, rowOutput(output), counter);
    }

    private RowOutput<T, R> rowOutput(Output<StreamRecord<R>> output) {
        return new RowOutput<>(resultNames, mapper, output);
    }
}
