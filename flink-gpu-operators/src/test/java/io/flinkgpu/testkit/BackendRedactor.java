package io.flinkgpu.testkit;

import io.flinkgpu.api.RuleSet;
import io.flinkgpu.backend.Backend;
import io.flinkgpu.backend.CompiledProgram;
import io.flinkgpu.backend.Submission;
import io.flinkgpu.backend.plan.RedactPlan;
import io.flinkgpu.backend.plan.RedactedBatch;
import io.flinkgpu.column.ColumnBatch;

import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;

/** Redacts by a backend, in batches of a few rows, several of them under way at once. */
public final class BackendRedactor implements Redactor {

    private static final int IN_FLIGHT = 3;

    private final Backend backend;
    private final LastCompiled compiler;
    private final int separatorBytes;
    private final int rowsPerBatch;

    public BackendRedactor(
            Backend backend, LastCompiled compiler, int separatorBytes, int rowsPerBatch) {
        this.backend = backend;
        this.compiler = compiler;
        this.separatorBytes = separatorBytes;
        this.rowsPerBatch = rowsPerBatch;
    }

    @Override
    public Redacted redact(RuleSet rules, byte[] hashKey, byte[][] rows) throws Exception {
        Redacted redacted =
                new Redacted(
                        new byte[rows.length][], new boolean[rows.length], new long[rules.size()]);
        Deque<Flight> flights = new ArrayDeque<>();
        try (CompiledProgram<RedactedBatch> program =
                backend.compile(new RedactPlan(compiler.compile(rules)))) {
            for (int from = 0; from < rows.length; from += rowsPerBatch) {
                if (flights.size() == IN_FLIGHT) {
                    flights.remove().land(redacted);
                }
                int to = Math.min(rows.length, from + rowsPerBatch);
                byte[][] part = Arrays.copyOfRange(rows, from, to);
                ColumnBatch batch = batchOf(backend.allocator(), separatorBytes, part);
                flights.add(new Flight(batch, program.submit(batch), from));
            }
            while (!flights.isEmpty()) {
                flights.remove().land(redacted);
            }
        }
        return redacted;
    }

    @Override
    public String toString() {
        return backend.placement().toString() + " with separatorBytes=" + separatorBytes;
    }

    /** A batch with the rows as its one text column. */
    public static ColumnBatch batchOf(
            BufferAllocator allocator, int separatorBytes, byte[]... rows) {
        VarCharVector vector = new VarCharVector("text", allocator);
        long bytes = Arrays.stream(rows).mapToLong(row -> row.length + separatorBytes).sum();
        vector.allocateNew(bytes, rows.length);
        for (int i = 0; i < rows.length; i++) {
            byte[] stored = Arrays.copyOf(rows[i], rows[i].length + separatorBytes);
            if (separatorBytes == 1) {
                stored[rows[i].length] = '\n';
            }
            vector.setSafe(i, stored);
        }
        vector.setValueCount(rows.length);
        return new ColumnBatch(new VectorSchemaRoot(List.of(vector)), separatorBytes);
    }

    private record Flight(ColumnBatch batch, Submission<RedactedBatch> submission, int firstRow) {

        void land(Redacted to) throws Exception {
            try (batch;
                    RedactedBatch result = submission.await()) {
                if (result.rows() != batch.rows()) {
                    throw new AssertionError(result.rows() + " rows of " + batch.rows());
                }
                for (int i = 0; i < result.rows(); i++) {
                    to.rows()[firstRow + i] = result.text().copyRow(i);
                    to.changed()[firstRow + i] = result.changed(i);
                }
                for (int i = 0; i < to.matchesPerRule().length; i++) {
                    to.matchesPerRule()[i] += result.matchesPerRule()[i];
                }
            }
        }
    }
}
