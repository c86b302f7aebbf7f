package io.flinkgpu.backend.steps;

import io.flinkgpu.api.ColumnType;
import io.flinkgpu.backend.Backend;
import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.CompiledProgram;
import io.flinkgpu.backend.Submission;
import io.flinkgpu.backend.plan.RedactPlan;
import io.flinkgpu.backend.plan.RedactedBatch;
import io.flinkgpu.column.ColumnBatch;
import io.flinkgpu.column.Vectors;
import io.flinkgpu.program.RedactStep;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.vector.FieldVector;

import java.util.List;

/** Redacts a column; its null rows stay null. */
final class RedactStage implements Stage {

    private final Backend backend;
    private final int column;
    private final CompiledProgram<RedactedBatch> program;

    RedactStage(Backend backend, RedactStep step) throws BackendException {
        this.backend = backend;
        this.column = step.column();
        this.program = backend.compile(new RedactPlan(step.rules()));
    }

    @Override
    public Submission<Long> submit(StepColumns columns) throws BackendException {
        ColumnBatch text = columns.lend(List.of(column));
        Submission<RedactedBatch> submission = program.submit(text);
        return () -> {
            try (RedactedBatch redacted = submission.await()) {
                FieldVector written = redacted.columns().vector(0);
                columns.append(withNullsOf(columns.column(column), written));
                return redacted.deviceNanos();
            }
        };
    }

    private FieldVector withNullsOf(FieldVector original, FieldVector written) {
        int nulls = original.getNullCount();
        if (nulls == 0) {
            return Vectors.share(written);
        }
        int rows = original.getValueCount();
        int bytes = (rows + 7) >> 3;
        try (ArrowBuf validity = backend.allocator().buffer(bytes)) {
            validity.setBytes(0, original.getValidityBuffer(), 0, bytes);
            List<ArrowBuf> buffers = written.getFieldBuffers();
            return Vectors.of(
                    ColumnType.TEXT,
                    ColumnType.TEXT.toString(),
                    backend.allocator(),
                    rows,
                    nulls,
                    List.of(validity, buffers.get(1), buffers.get(2)));
        }
    }

    @Override
    public void close() {
        program.close();
    }
}
