package io.flinkgpu.operator.transform;

import io.flinkgpu.backend.RowProgram;
import io.flinkgpu.column.RowReader;

import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

/** Computes records one at a time, without batches. Task thread only. */
final class SingleRows<T, R> {

    private final RowProgram program;
    private final RowReader<T> reader;
    private final RowOutput<T, R> output;

    SingleRows(RowProgram program, RowReader<T> reader, RowOutput<T, R> output) {
        this.program = program;
        this.reader = reader;
        this.output = output;
    }

    /**
     * Emits what becomes of a record.
     *
     * @return false if the record needs a batch; then nothing was done
     */
    boolean process(StreamRecord<T> record) {
        Object[] fields = program.run(reader, record.getValue());
        if (fields == null) {
            return false;
        }
        output.emit(record, fields);
        return true;
    }
}
