package io.flinkgpu.backend;

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

/** Does what another backend does, for tests that change some of it. Owns the other. */
public abstract class ForwardingBackend implements Backend {

    private final Backend backend;

    protected ForwardingBackend(Backend backend) {
        this.backend = backend;
    }

    @Override
    public String description() {
        return backend.description();
    }

    @Override
    public boolean isGpu() {
        return backend.isGpu();
    }

    @Override
    public boolean findsLines() {
        return backend.findsLines();
    }

    @Override
    public BufferAllocator allocator() {
        return backend.allocator();
    }

    @Override
    public CompiledProgram<RedactedBatch> compile(CompiledRules rules, byte[] hashKey)
            throws BackendException {
        return backend.compile(rules, hashKey);
    }

    @Override
    public CompiledProgram<GroupedBatch> compile(AggregatePlan plan) throws BackendException {
        return backend.compile(plan);
    }

    @Override
    public CompiledProgram<LineGroups> compile(LinePlan plan) throws BackendException {
        return backend.compile(plan);
    }

    @Override
    public CompiledProgram<TransformedBatch> compile(PassPlan plan) throws BackendException {
        return backend.compile(plan);
    }

    @Override
    public CompiledProgram<TransformedBatch> compile(Program program, byte[] hashKey)
            throws BackendException {
        return Steps.compile(this, program, hashKey);
    }

    @Override
    public void close() {
        backend.close();
    }
}
