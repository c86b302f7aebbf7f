package io.flinkgpu.backend;

import io.flinkgpu.backend.plan.RedactPlan;
import io.flinkgpu.backend.plan.RedactedBatch;
import io.flinkgpu.column.ColumnBatch;
import io.flinkgpu.column.TextColumns;

import org.apache.arrow.memory.ArrowBuf;

/** What another backend does, and redacts batches that hold lines as well. */
public final class LineFindingBackend extends ForwardingBackend {

    public LineFindingBackend(Backend backend) {
        super(backend);
        replace(RedactPlan.class, plan -> findingLines(forward(plan)));
    }

    private CompiledProgram<RedactedBatch> findingLines(CompiledProgram<RedactedBatch> program) {
        return new ForwardingProgram<>(program) {
            @Override
            public boolean findsLines() {
                return true;
            }

            @Override
            public Submission<RedactedBatch> submit(ColumnBatch batch) throws BackendException {
                return batch.holdsLines() ? submitLines(program, batch) : program.submit(batch);
            }
        };
    }

    private Submission<RedactedBatch> submitLines(
            CompiledProgram<RedactedBatch> program, ColumnBatch batch) throws BackendException {
        ColumnBatch lines = batch.splitLines(allocator());
        Submission<RedactedBatch> submission;
        try {
            submission = program.submit(lines);
        } catch (BackendException | RuntimeException e) {
            lines.close();
            throw e;
        }
        return () -> {
            try (lines;
                    RedactedBatch redacted = submission.await()) {
                return joined(redacted);
            }
        };
    }

    private RedactedBatch joined(RedactedBatch redacted) {
        try (ArrowBuf offsets = allocator().buffer(2 * Integer.BYTES)) {
            offsets.setInt(0, 0);
            offsets.setInt(Integer.BYTES, redacted.text().dataBytes());
            ArrowBuf data = redacted.columns().vector(0).getDataBuffer();
            return RedactedBatch.ofLines(
                    TextColumns.of(allocator(), 1, offsets, data, 0),
                    redacted.rows(),
                    redacted.matchesPerRule(),
                    redacted.deviceNanos());
        }
    }
}
