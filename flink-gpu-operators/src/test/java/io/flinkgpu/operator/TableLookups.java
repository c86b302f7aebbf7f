package io.flinkgpu.operator;

import io.flinkgpu.api.BatchPolicy;
import io.flinkgpu.api.ColumnType;
import io.flinkgpu.backend.plan.LookupPlan;
import io.flinkgpu.backend.plan.TablePlan;
import io.flinkgpu.backend.plan.TransformedBatch;
import io.flinkgpu.column.BatchBuilder;
import io.flinkgpu.column.ResultReader;
import io.flinkgpu.column.RowBatchBuilder;
import io.flinkgpu.column.RowValues;

import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.operators.Output;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

import org.apache.arrow.memory.BufferAllocator;

import java.util.List;

/**
 * Looks texts up in a resident table of texts and their numbers: {@code "a"} becomes {@code "a=1"}, or {@code
 * "a=null"}. The change {@code "a=1"} sets a number, {@code "a="} removes the text.
 */
record TableLookups(TablePlan table) implements BatchSpec<String, String, TransformedBatch> {

    private static final long serialVersionUID = 1L;

    @Override
    public BatchFunction<String, TransformedBatch> open(
            BatchEngine<String, TransformedBatch> engine, BatchContext<String, String> context)
            throws Exception {
        BatchPolicy policy = context.options().batchPolicy();
        engine.open(context, new LookupPlan(table));
        BatchBuilder builder =
                new BatchBuilder(engine.allocator(), policy.maxRows(), policy.maxBytes(), 0);
        return new RecordBatches<>(
                engine,
                context,
                new BatchInput<>(builder, builder::append),
                new Emitter(context.output()),
                null);
    }

    /** The changes of the table. */
    static final class Changes implements ResidentSpec<String, String> {

        private static final long serialVersionUID = 1L;

        @Override
        public String key(String change) {
            return change.substring(0, change.indexOf('='));
        }

        @Override
        public boolean removes(String change) {
            return change.endsWith("=");
        }

        @Override
        public BatchInput<String> input(BufferAllocator allocator, BatchPolicy policy) {
            RowBatchBuilder builder =
                    new RowBatchBuilder(
                            allocator,
                            policy.maxRows(),
                            policy.maxBytes(),
                            List.of("text", "number"),
                            List.of(ColumnType.TEXT, ColumnType.LONG));
            RowValues row = new RowValues(2);
            return new BatchInput<>(
                    builder,
                    change -> {
                        row.putText(TablePlan.KEY_COLUMN, key(change));
                        if (removes(change)) {
                            row.putNull(TablePlan.NUMBER_COLUMN);
                        } else {
                            String number = change.substring(change.indexOf('=') + 1);
                            row.putWord(TablePlan.NUMBER_COLUMN, Long.parseLong(number));
                        }
                        return builder.append(row);
                    });
        }

        @Override
        public MapStateDescriptor<String, String> state() {
            return new MapStateDescriptor<>("table", Types.STRING, Types.STRING);
        }
    }

    private static final class Emitter implements BatchEmitter<String, TransformedBatch> {

        private final Output<StreamRecord<String>> output;
        private ResultReader numbers;

        Emitter(Output<StreamRecord<String>> output) {
            this.output = output;
        }

        @Override
        public int start(TransformedBatch part) {
            numbers = new ResultReader(part.columns(), 0, ColumnType.LONG);
            return part.columns().rows();
        }

        @Override
        public void emit(StreamRecord<String> record, int firstRow, int rows, boolean last) {
            output.collect(record.replace(record.getValue() + "=" + numbers.get(firstRow)));
        }
    }
}
