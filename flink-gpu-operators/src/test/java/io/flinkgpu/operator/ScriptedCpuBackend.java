package io.flinkgpu.operator;

import io.flinkgpu.backend.AggregatePlan;
import io.flinkgpu.backend.Backend;
import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.CompiledProgram;
import io.flinkgpu.backend.GroupedBatch;
import io.flinkgpu.backend.LineGroups;
import io.flinkgpu.backend.LinePlan;
import io.flinkgpu.backend.PassPlan;
import io.flinkgpu.backend.RedactedBatch;
import io.flinkgpu.backend.Submission;
import io.flinkgpu.backend.TransformedBatch;
import io.flinkgpu.backend.cpu.CpuBackend;
import io.flinkgpu.column.ColumnBatch;
import io.flinkgpu.operator.FakeBackend.Call;
import io.flinkgpu.operator.FakeBackend.Script;
import io.flinkgpu.text.CompiledRules;

import org.apache.arrow.memory.BufferAllocator;

/** The CPU backend for passes, which before each call does what its script says. */
final class ScriptedCpuBackend implements Backend {

    private final CpuBackend cpu;
    private final Script script;

    private ScriptedCpuBackend(CpuBackend cpu, Script script) {
        this.cpu = cpu;
        this.script = script;
    }

    static Backend open(long memoryLimitBytes, int deviceSlot, Script script)
            throws BackendException {
        script.on(Call.OPEN, deviceSlot);
        return new ScriptedCpuBackend(CpuBackend.open(memoryLimitBytes), script);
    }

    @Override
    public CompiledProgram<LineGroups> compile(LinePlan plan) {
        throw new UnsupportedOperationException();
    }

    @Override
    public CompiledProgram<TransformedBatch> compile(PassPlan plan) throws BackendException {
        script.on(Call.COMPILE, 0);
        CompiledProgram<TransformedBatch> compiled = cpu.compile(plan);
        return new CompiledProgram<>() {
            @Override
            public Submission<TransformedBatch> submit(ColumnBatch batch) throws BackendException {
                script.on(Call.SUBMIT, batch.rows());
                Submission<TransformedBatch> submission = compiled.submit(batch);
                return () -> {
                    script.on(Call.AWAIT, batch.rows());
                    return submission.await();
                };
            }

            @Override
            public void close() {
                compiled.close();
                unchecked(Call.CLOSE_PROGRAM);
            }
        };
    }

    @Override
    public CompiledProgram<RedactedBatch> compile(CompiledRules rules, byte[] hashKey)
            throws BackendException {
        return cpu.compile(rules, hashKey);
    }

    @Override
    public CompiledProgram<GroupedBatch> compile(AggregatePlan plan) throws BackendException {
        return cpu.compile(plan);
    }

    @Override
    public String description() {
        return "scripted";
    }

    @Override
    public boolean isGpu() {
        return false;
    }

    @Override
    public BufferAllocator allocator() {
        return cpu.allocator();
    }

    @Override
    public void close() {
        cpu.close();
        unchecked(Call.CLOSE);
    }

    private void unchecked(Call call) {
        try {
            script.on(call, 0);
        } catch (BackendException e) {
            throw new IllegalStateException(e.getMessage(), e);
        }
    }
}
