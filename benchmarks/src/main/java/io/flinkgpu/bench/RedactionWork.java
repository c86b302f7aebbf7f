package io.flinkgpu.bench;

import io.flinkgpu.backend.plan.RedactPlan;
import io.flinkgpu.backend.plan.RedactedBatch;
import io.flinkgpu.column.ColumnBatch;
import io.flinkgpu.text.CompiledRules;

import org.apache.arrow.memory.BufferAllocator;

import java.util.Arrays;
import java.util.List;

/**
 * Redaction of lines.
 *
 * @param lines whole lines, those of each batch
 */
record RedactionWork(List<byte[]> lines) implements Work<RedactedBatch> {

    /**
     * @param rules none of which needs a key
     */
    static Programs<RedactedBatch> programs(CompiledRules rules) {
        return new Programs<>(new RedactPlan(rules));
    }

    @Override
    public List<ColumnBatch> batches(BufferAllocator allocator) {
        return lines.stream().map(batch -> BenchInput.batch(allocator, batch)).toList();
    }

    @Override
    public void check(ColumnBatch batch, RedactedBatch actual, RedactedBatch expected) {
        byte[] gpuBytes = actual.text().copy(0, actual.text().dataBytes());
        byte[] cpuBytes = expected.text().copy(0, expected.text().dataBytes());
        int differs = Arrays.mismatch(gpuBytes, cpuBytes);
        if (differs >= 0 || !Arrays.equals(actual.matchesPerRule(), expected.matchesPerRule())) {
            throw new IllegalStateException("GPU and CPU differ at output byte " + differs);
        }
    }

    @Override
    public long deviceNanos(RedactedBatch result) {
        return result.deviceNanos();
    }

    @Override
    public double amount(ColumnBatch batch) {
        return batch.text(0).dataBytes();
    }

    @Override
    public String unit() {
        return "GB/s";
    }
}
