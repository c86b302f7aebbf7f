package io.flinkgpu.operator;

import io.flinkgpu.api.BatchPolicy;
import io.flinkgpu.backend.Backend;
import io.flinkgpu.backend.OpenRequest;
import io.flinkgpu.backend.Submission;
import io.flinkgpu.backend.cpu.CpuBackend;
import io.flinkgpu.column.BatchBuilder;
import io.flinkgpu.column.ColumnBatch;

import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.operators.Output;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.OutOfMemoryException;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Looks keys up in a resident table of texts: {@code "a"} becomes {@code "a=1"}, or {@code "a=null"}. The
 * change {@code "a=1"} sets a text, {@code "a="} removes it.
 */
record TableLookups(Steps steps) implements BatchSpec<String, String, TableLookups.Found> {

    private static final long serialVersionUID = 1L;

    /** Called by the backend's thread before it does something. */
    interface Steps {

        Steps NONE = (step, rows) -> {};

        void before(Step step, int rows) throws Exception;
    }

    enum Step {
        APPLY,
        AWAIT,
        CLOSE
    }

    /** What was found for the rows of a batch. */
    record Found(List<String> texts) implements AutoCloseable {

        @Override
        public void close() {}
    }

    @Override
    public BatchFunction<String, Found> open(
            BatchEngine<String, Found> engine, BatchContext<String, String> context)
            throws Exception {
        BatchPolicy policy = context.options().batchPolicy();
        Backend backend =
                engine.open(
                        context.runtime(), new Table(context.options().memoryLimitBytes(), steps));
        BatchBuilder builder =
                new BatchBuilder(backend.allocator(), policy.maxRows(), policy.maxBytes(), 0);
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
            BatchBuilder builder =
                    new BatchBuilder(allocator, policy.maxRows(), policy.maxBytes(), 0);
            return new BatchInput<>(builder, builder::append);
        }

        @Override
        public MapStateDescriptor<String, String> state() {
            return new MapStateDescriptor<>("table", Types.STRING, Types.STRING);
        }
    }

    /** The table. Backend's thread only. */
    private static final class Table implements BatchProgram<Found> {

        private final Map<String, String> texts = new HashMap<>();
        private final long memoryLimitBytes;
        private final Steps steps;
        private Backend backend;

        Table(long memoryLimitBytes, Steps steps) {
            this.memoryLimitBytes = memoryLimitBytes;
            this.steps = steps;
        }

        @Override
        public Backend open() {
            backend = CpuBackend.open(OpenRequest.of(memoryLimitBytes));
            return backend;
        }

        @Override
        public void apply(ColumnBatch changes) throws Exception {
            steps.before(Step.APPLY, changes.rows());
            for (String change : rows(changes)) {
                String[] keyAndText = change.split("=", 2);
                if (keyAndText[1].isEmpty()) {
                    texts.remove(keyAndText[0]);
                } else {
                    texts.put(keyAndText[0], keyAndText[1]);
                }
            }
        }

        @Override
        public Submission<Found> submit(ColumnBatch batch) {
            return () -> {
                try {
                    steps.before(Step.AWAIT, batch.rows());
                } catch (OutOfMemoryException e) {
                    throw e;
                } catch (Exception e) {
                    throw new IllegalStateException(e);
                }
                return find(batch);
            };
        }

        @Override
        public void runInParts(ColumnBatch batch, Parts<Found> parts) throws Exception {
            for (String key : rows(batch)) {
                parts.add(new Found(List.of(key + "=" + texts.get(key))));
            }
        }

        @Override
        public void close() {
            backend.close();
            try {
                steps.before(Step.CLOSE, 0);
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }

        private Found find(ColumnBatch batch) {
            return new Found(rows(batch).stream().map(key -> key + "=" + texts.get(key)).toList());
        }

        private static List<String> rows(ColumnBatch batch) {
            List<String> rows = new ArrayList<>();
            for (int row = 0; row < batch.rows(); row++) {
                rows.add(new String(batch.text(0).copyRow(row), StandardCharsets.UTF_8));
            }
            return rows;
        }
    }

    private static final class Emitter implements BatchEmitter<String, Found> {

        private final Output<StreamRecord<String>> output;
        private Found part;

        Emitter(Output<StreamRecord<String>> output) {
            this.output = output;
        }

        @Override
        public int start(Found next) {
            part = next;
            return next.texts().size();
        }

        @Override
        public void emit(StreamRecord<String> record, int firstRow, int rows, boolean last) {
            output.collect(record.replace(part.texts().get(firstRow)));
        }

        @Override
        public void completed(int rows, int bytes) {}
    }
}
