package io.flinkgpu.operator.transform;

import io.flinkgpu.backend.RowProgram;
import io.flinkgpu.column.RowReader;

import org.apache.flink.metrics.Counter;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

import java.util.function.Predicate;

/**
 * Emits what becomes of records one at a time, without batches; false for a record that needs one. Task
 * thread only.
 */
final class SingleRows<T, R> implements Predicate<StreamRecord<T>> {

    private final RowProgram program;
    private final RowReader<T> reader;
    private final RowResults<T, R> results;
    private final Counter counter;

    /**
     * @param counter of the records that needed no batch
     */
    SingleRows(RowProgram program, RowReader<T> reader, RowResults<T, R> results, Counter counter) {
        this.program = program;
        this.reader = reader;
        this.results = results;
        this.counter = counter;
    }

    @Override
    public boolean test(StreamRecord<T> record) {
        Object[] fields = program.run(reader, record.getValue());
        if (fields == null) {
            return false;
        }
        results.emit(record, fields);
        counter.inc();
        return true;
    }
}
