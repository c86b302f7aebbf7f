package io.flinkgpu;

import io.flinkgpu.backend.AggregatePlan;
import io.flinkgpu.backend.Backend;
import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.BackendFactory;
import io.flinkgpu.backend.CompiledProgram;
import io.flinkgpu.backend.GroupedBatch;
import io.flinkgpu.backend.LineGroups;
import io.flinkgpu.backend.LinePlan;
import io.flinkgpu.backend.PassPlan;
import io.flinkgpu.backend.RedactedBatch;
import io.flinkgpu.backend.RowProgram;
import io.flinkgpu.backend.TransformedBatch;
import io.flinkgpu.program.Program;
import io.flinkgpu.text.CompiledRules;

import org.apache.arrow.memory.BufferAllocator;

import java.util.Optional;
import java.util.function.Consumer;

/**
 * A GPU where one opens and has room for the rules, else the CPU. The choice is final, and announced,
 * when {@link #compile} returns; that is called once, before anything is allocated.
 */
final class AutoBackend implements Backend {

    private final BackendFactory cpu;
    private final long memoryLimitBytes;
    private final int deviceSlot;
    private final Consumer<String> announcer;
    private Backend chosen;
    private String whyNoGpu;

    /**
     * @param gpu tried first
     * @param cpu opened when the GPU fails
     * @param announcer gets one line that says what was chosen, and why
     */
    AutoBackend(
            BackendFactory gpu,
            BackendFactory cpu,
            long memoryLimitBytes,
            int deviceSlot,
            Consumer<String> announcer)
            throws BackendException {
        this.cpu = cpu;
        this.memoryLimitBytes = memoryLimitBytes;
        this.deviceSlot = deviceSlot;
        this.announcer = announcer;
        try {
            chosen = gpu.open(memoryLimitBytes, deviceSlot);
        } catch (BackendException | LinkageError e) {
            // A machine without a driver fails with an Error when JCuda's classes load.
            openCpu(e);
        }
    }

    @Override
    public CompiledProgram<RedactedBatch> compile(CompiledRules rules, byte[] hashKey)
            throws BackendException {
        return compileOnChosen(backend -> backend.compile(rules, hashKey));
    }

    @Override
    public CompiledProgram<GroupedBatch> compile(AggregatePlan plan) throws BackendException {
        return compileOnChosen(backend -> backend.compile(plan));
    }

    @Override
    public CompiledProgram<LineGroups> compile(LinePlan plan) throws BackendException {
        return compileOnChosen(backend -> backend.compile(plan));
    }

    @Override
    public CompiledProgram<TransformedBatch> compile(PassPlan plan) throws BackendException {
        return compileOnChosen(backend -> backend.compile(plan));
    }

    @Override
    public CompiledProgram<TransformedBatch> compile(Program program, byte[] hashKey)
            throws BackendException {
        return compileOnChosen(backend -> backend.compile(program, hashKey));
    }

    @Override
    public Optional<RowProgram> compileRows(Program program) {
        return chosen.compileRows(program);
    }

    private <R extends AutoCloseable> CompiledProgram<R> compileOnChosen(Compiler<R> compiler)
            throws BackendException {
        CompiledProgram<R> compiled;
        try {
            compiled = compiler.compile(chosen);
        } catch (BackendException | LinkageError e) {
            if (whyNoGpu != null) {
                throw e;
            }
            close();
            openCpu(e);
            compiled = compiler.compile(chosen);
        }
        announcer.accept(
                "Batches run on "
                        + description()
                        + (whyNoGpu == null ? "." : ", not on a GPU: " + whyNoGpu));
        return compiled;
    }

    @FunctionalInterface
    private interface Compiler<R extends AutoCloseable> {

        CompiledProgram<R> compile(Backend backend) throws BackendException;
    }

    private void openCpu(Throwable cause) throws BackendException {
        whyNoGpu = String.valueOf(cause.getMessage());
        chosen = cpu.open(memoryLimitBytes, deviceSlot);
    }

    @Override
    public String description() {
        return chosen.description();
    }

    @Override
    public boolean isGpu() {
        return chosen.isGpu();
    }

    @Override
    public BufferAllocator allocator() {
        return chosen.allocator();
    }

    @Override
    public void close() {
        if (chosen != null) {
            Backend closing = chosen;
            chosen = null;
            closing.close();
        }
    }
}
