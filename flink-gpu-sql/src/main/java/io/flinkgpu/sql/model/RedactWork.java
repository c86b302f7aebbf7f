package io.flinkgpu.sql.model;

import io.flinkgpu.api.BatchPolicy;
import io.flinkgpu.api.RuleSet;
import io.flinkgpu.backend.Plan;
import io.flinkgpu.backend.plan.RedactPlan;
import io.flinkgpu.backend.plan.RedactedBatch;
import io.flinkgpu.column.BatchBuilder;
import io.flinkgpu.operator.BatchInput;
import io.flinkgpu.text.RuleCompiler;

import org.apache.arrow.memory.BufferAllocator;

/** Redacts texts of UTF-8. */
record RedactWork(RuleSet rules) implements ModelWork<byte[], byte[], RedactedBatch> {

    private static final long serialVersionUID = 1L;

    @Override
    public Plan<RedactedBatch> plan() {
        return new RedactPlan(RuleCompiler.compile(rules).requireMatchable());
    }

    @Override
    public BatchInput<byte[]> input(BufferAllocator allocator, BatchPolicy policy) {
        BatchBuilder builder = new BatchBuilder(allocator, policy.maxRows(), policy.maxBytes(), 0);
        return new BatchInput<>(builder, text -> builder.append(text, 0, text.length));
    }

    @Override
    public byte[] answer(RedactedBatch result, int row, byte[] text) {
        return result.changed(row) ? result.text().copyRow(row) : text;
    }
}
