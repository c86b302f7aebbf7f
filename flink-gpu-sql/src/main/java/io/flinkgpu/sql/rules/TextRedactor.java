package io.flinkgpu.sql.rules;

import io.flinkgpu.api.Errors;
import io.flinkgpu.api.GpuOptions;
import io.flinkgpu.api.RuleSet;
import io.flinkgpu.backend.Backend;
import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.CompiledProgram;
import io.flinkgpu.backend.OpenRequest;
import io.flinkgpu.backend.cpu.CpuBackend;
import io.flinkgpu.backend.plan.RedactPlan;
import io.flinkgpu.backend.plan.RedactedBatch;
import io.flinkgpu.column.BatchBuilder;
import io.flinkgpu.column.ColumnBatch;
import io.flinkgpu.text.RuleCompiler;

import org.apache.flink.annotation.Internal;
import org.apache.flink.table.data.StringData;

import org.apache.arrow.memory.OutOfMemoryException;

import java.util.Arrays;

/** Redacts one text at a time: a batch of one on the CPU. Not thread-safe; the caller closes it. */
@Internal
public final class TextRedactor implements AutoCloseable {

    private final byte[] hashKey;
    private final Backend backend;
    private final CompiledProgram<RedactedBatch> program;
    private final BatchBuilder builder;

    /**
     * @param hashKey empty if no rule needs one; filled with zeros when this is closed
     */
    public TextRedactor(RuleSet rules, byte[] hashKey) throws BackendException {
        this.hashKey = hashKey;
        RedactPlan plan = new RedactPlan(RuleCompiler.compile(rules).requireMatchable());
        backend =
                CpuBackend.open(
                        OpenRequest.of(GpuOptions.DEFAULT.memoryLimitBytes()).withHashKey(hashKey));
        program = backend.compile(plan);
        builder = new BatchBuilder(backend.allocator(), 1, 1, 0);
    }

    /**
     * The same text where nothing was found in it.
     *
     * @throws IllegalStateException if it could not be redacted, with nothing of it
     */
    public StringData redact(StringData text) {
        byte[] bytes = text.toBytes();
        try {
            builder.append(bytes, 0, bytes.length);
            try (ColumnBatch batch = builder.build();
                    RedactedBatch redacted = program.submit(batch).await()) {
                return redacted.changed(0)
                        ? StringData.fromBytes(redacted.text().copyRow(0))
                        : text;
            }
        } catch (OutOfMemoryException e) {
            throw Errors.state(
                    "no memory to redact a text: bytes=%s, %s; make texts shorter",
                    bytes.length, e.getMessage());
        } catch (BackendException e) {
            throw new IllegalStateException("a text could not be redacted: " + e.getMessage(), e);
        }
    }

    @Override
    public void close() {
        builder.close();
        program.close();
        backend.close();
        Arrays.fill(hashKey, (byte) 0);
    }
}
