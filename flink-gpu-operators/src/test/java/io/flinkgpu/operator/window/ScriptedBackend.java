package io.flinkgpu.operator.window;

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
import io.flinkgpu.text.CompiledRules;

import org.apache.arrow.memory.BufferAllocator;

/** The CPU, which does at each call what its script says before. */
final class ScriptedBackend implements Backend {

    private final CpuBackend cpu;
    private final Script script;

    private ScriptedBackend(CpuBackend cpu, Script script) {
        this.cpu = cpu;
        this.script = script;
    }

    static ScriptedBackend open(long memoryLimitBytes, Script script) throws BackendException {
        script.on(Call.OPEN, 0);
        return new ScriptedBackend(CpuBackend.open(memoryLimitBytes), script);
    }

    /** What a test sees and steers. */
    interface Script {

        Script NONE = (call, rows) -> {};

        /**
         * @param rows of the batch, or 0
         */
        void on(Call call, int rows) throws BackendException;
    }

    enum Call {
        OPEN,
        COMPILE,
        SUBMIT,
        AWAIT,
        CLOSE_PROGRAM,
        CLOSE
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
    public CompiledProgram<RedactedBatch> compile(CompiledRules rules, byte[] hashKey) {
        throw new UnsupportedOperationException("this backend only aggregates");
    }

    @Override
    public CompiledProgram<GroupedBatch> compile(AggregatePlan plan) throws BackendException {
        script.on(Call.COMPILE, 0);
        CompiledProgram<GroupedBatch> program = cpu.compile(plan);
        return new CompiledProgram<>() {
            @Override
            public Submission<GroupedBatch> submit(ColumnBatch batch) throws BackendException {
                script.on(Call.SUBMIT, batch.rows());
                Submission<GroupedBatch> work = program.submit(batch);
                return () -> {
                    script.on(Call.AWAIT, batch.rows());
                    return work.await();
                };
            }

            @Override
            public void close() {
                program.close();
                unchecked(Call.CLOSE_PROGRAM);
            }
        };
    }

    @Override
    public CompiledProgram<LineGroups> compile(LinePlan plan) {
        throw new UnsupportedOperationException();
    }

    @Override
    public CompiledProgram<TransformedBatch> compile(PassPlan plan) {
        throw new UnsupportedOperationException();
    }

    /** Throws if a byte is held, before the script sees the call. */
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
