package io.flinkgpu.backend.cpu;

import io.flinkgpu.backend.Backend;
import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.CompiledProgram;
import io.flinkgpu.backend.RowProgram;
import io.flinkgpu.backend.cpu.aggregate.CpuAggregation;
import io.flinkgpu.backend.cpu.lines.CpuLines;
import io.flinkgpu.backend.cpu.redact.CpuRedaction;
import io.flinkgpu.backend.cpu.row.StringProgram;
import io.flinkgpu.backend.cpu.transform.CpuTransform;
import io.flinkgpu.backend.plan.AggregatePlan;
import io.flinkgpu.backend.plan.GroupedBatch;
import io.flinkgpu.backend.plan.LineGroups;
import io.flinkgpu.backend.plan.LinePlan;
import io.flinkgpu.backend.plan.PassPlan;
import io.flinkgpu.backend.plan.RedactedBatch;
import io.flinkgpu.backend.plan.TransformedBatch;
import io.flinkgpu.backend.steps.Steps;
import io.flinkgpu.program.Program;
import io.flinkgpu.text.CompiledRules;

import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;

import java.util.Optional;

/** Runs programs in plain Java: the oracle of the GPU backend, and the default without a GPU. */
public final class CpuBackend implements Backend {

    private final BufferAllocator allocator;

    private CpuBackend(BufferAllocator allocator) {
        this.allocator = allocator;
    }

    /** Opens a backend whose columns take at most {@code memoryLimitBytes}. The caller closes it. */
    public static CpuBackend open(long memoryLimitBytes) {
        return new CpuBackend(new RootAllocator(memoryLimitBytes));
    }

    @Override
    public String description() {
        return "cpu";
    }

    @Override
    public boolean isGpu() {
        return false;
    }

    @Override
    public BufferAllocator allocator() {
        return allocator;
    }

    @Override
    public CompiledProgram<RedactedBatch> compile(CompiledRules rules, byte[] hashKey) {
        return new CpuRedaction(allocator, rules, hashKey);
    }

    @Override
    public CompiledProgram<GroupedBatch> compile(AggregatePlan plan) {
        return new CpuAggregation(allocator, plan);
    }

    @Override
    public CompiledProgram<LineGroups> compile(LinePlan plan) {
        return new CpuLines(allocator, plan);
    }

    @Override
    public CompiledProgram<TransformedBatch> compile(PassPlan plan) {
        return new CpuTransform(allocator, plan);
    }

    @Override
    public Optional<RowProgram> compileRows(Program program) {
        return StringProgram.of(program);
    }

    @Override
    public CompiledProgram<TransformedBatch> compile(Program program, byte[] hashKey)
            throws BackendException {
        return Steps.compile(this, program, hashKey);
    }

    @Override
    public void close() {
        allocator.close();
    }
}
