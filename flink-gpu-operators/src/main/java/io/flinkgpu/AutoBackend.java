package io.flinkgpu;

import io.flinkgpu.api.BatchPolicy;
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
import org.apache.arrow.memory.OutOfMemoryException;

import java.util.Locale;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * A GPU where one opens, has room for the program, and runs it faster than the CPU does, else the CPU.
 * The choice is final, and announced, when {@link #compile} returns; that is called once, before
 * anything is allocated. It is made by measuring: both run made-up batches as large as the policy's,
 * the GPU's time counts for all subtasks that share it, and a core is a subtask's own.
 */
final class AutoBackend implements Backend {

    /** Larger batches are not faster. */
    private static final int MAX_GPU_SAMPLE_BYTES = 16 << 20;

    /** Of this size a core needs a millisecond, of which it has time for many. */
    private static final int MAX_CPU_SAMPLE_BYTES = 64 << 10;

    /** Two subtasks that measured one GPU at a time would each see half of it. */
    private static final Object ONE_AT_A_TIME = new Object();

    private final BackendFactory cpu;
    private final Subtask subtask;
    private final Calibration calibration;
    private final BiConsumer<String, String> announcer;
    private Backend chosen;
    private String whyNoGpu;

    /**
     * What a backend is chosen for.
     *
     * @param memoryLimitBytes of its columns
     * @param deviceSlot picks the device
     * @param sharers how many subtasks share the device, this one included
     * @param policy how large batches are
     */
    record Subtask(long memoryLimitBytes, int deviceSlot, int sharers, BatchPolicy policy) {}

    /**
     * @param gpu tried first
     * @param cpu opened when the GPU fails or is slower
     * @param nanoTime {@link System#nanoTime}, or a clock made up for a test
     * @param announcer gets what was chosen and why, the parts of one line
     */
    AutoBackend(
            BackendFactory gpu,
            BackendFactory cpu,
            Subtask subtask,
            LongSupplier nanoTime,
            BiConsumer<String, String> announcer)
            throws BackendException {
        this.cpu = cpu;
        this.subtask = subtask;
        this.calibration = new Calibration(nanoTime);
        this.announcer = announcer;
        try {
            chosen = gpu.open(subtask.memoryLimitBytes, subtask.deviceSlot);
        } catch (BackendException | LinkageError e) {
            // A machine without a driver fails with an Error when JCuda's classes load.
            openCpu(", not on a GPU: " + e.getMessage());
        }
    }

    @Override
    public CompiledProgram<RedactedBatch> compile(CompiledRules rules, byte[] hashKey)
            throws BackendException {
        return compileOnBest(
                "Redaction", backend -> backend.compile(rules, hashKey), SampleBatch::logLines);
    }

    @Override
    public CompiledProgram<GroupedBatch> compile(AggregatePlan plan) throws BackendException {
        return compileOnBest(
                "Aggregation",
                backend -> backend.compile(plan),
                () -> SampleBatch.aggregates(plan));
    }

    @Override
    public CompiledProgram<LineGroups> compile(LinePlan plan) throws BackendException {
        return compileOnBest(
                "Aggregation of lines",
                backend -> backend.compile(plan),
                () -> SampleBatch.lines(plan));
    }

    @Override
    public CompiledProgram<TransformedBatch> compile(PassPlan plan) throws BackendException {
        return compileOnBest(
                "Computing expressions",
                backend -> backend.compile(plan),
                () -> SampleBatch.columns(plan.types()));
    }

    @Override
    public CompiledProgram<TransformedBatch> compile(Program program, byte[] hashKey)
            throws BackendException {
        return compileOnBest(
                "Computing expressions",
                backend -> backend.compile(program, hashKey),
                () -> SampleBatch.columns(program.types()));
    }

    @Override
    public Optional<RowProgram> compileRows(Program program) {
        return chosen.compileRows(program);
    }

    private <R extends AutoCloseable> CompiledProgram<R> compileOnBest(
            String what, Compiler<R> compiler, Supplier<SampleBatch.Maker> samples)
            throws BackendException {
        CompiledProgram<R> compiled =
                whyNoGpu == null ? compileOnGpu(what, compiler, samples) : null;
        if (compiled == null) {
            compiled = compiler.compile(chosen);
            announce(what, whyNoGpu);
        }
        return compiled;
    }

    /** Leaves the CPU open, with the reason, if it gives null. */
    private <R extends AutoCloseable> CompiledProgram<R> compileOnGpu(
            String what, Compiler<R> compiler, Supplier<SampleBatch.Maker> samples)
            throws BackendException {
        CompiledProgram<R> compiled = null;
        String reason;
        try {
            compiled = compiler.compile(chosen);
            Rates rates = measure(compiled, compiler, samples.get());
            reason = reason(rates);
            if (rates.gpuBytesPerSecond > rates.cpuBytesPerSecond) {
                announce(what, reason);
                return compiled;
            }
        } catch (BackendException | LinkageError | OutOfMemoryException e) {
            reason = ", not on a GPU: " + e.getMessage();
        }
        if (compiled != null) {
            compiled.close();
        }
        close();
        openCpu(reason);
        return null;
    }

    /**
     * Of one subtask.
     *
     * @param gpuBytesPerSecond its share, in batches of {@code batchBytes}
     */
    private record Rates(double gpuBytesPerSecond, int batchBytes, double cpuBytesPerSecond) {}

    private <R extends AutoCloseable> Rates measure(
            CompiledProgram<R> onGpu, Compiler<R> compiler, SampleBatch.Maker samples)
            throws BackendException {
        BatchPolicy policy = subtask.policy;
        double gpuRate;
        int batchBytes;
        try (SampleBatch sample =
                samples.make(
                        chosen.allocator(),
                        policy.maxRows(),
                        Math.min(policy.maxBytes(), MAX_GPU_SAMPLE_BYTES))) {
            synchronized (ONE_AT_A_TIME) {
                batchBytes = sample.bytes();
                gpuRate = calibration.overlapped(onGpu, sample) / subtask.sharers;
            }
        }
        try (Backend other = cpu.open(subtask.memoryLimitBytes, subtask.deviceSlot);
                CompiledProgram<R> onCpu = compiler.compile(other);
                SampleBatch sample =
                        samples.make(
                                other.allocator(),
                                policy.maxRows(),
                                Math.min(policy.maxBytes(), MAX_CPU_SAMPLE_BYTES))) {
            double cpuRate = calibration.oneByOne(onCpu, sample, gpuRate);
            return new Rates(gpuRate, batchBytes, cpuRate);
        }
    }

    private String reason(Rates rates) {
        return String.format(
                Locale.ROOT,
                ": the GPU does %.0f MB/s for each of up to %d subtasks in batches of %d bytes, a core"
                        + " %s%.0f MB/s",
                rates.gpuBytesPerSecond / 1e6,
                subtask.sharers,
                rates.batchBytes,
                rates.cpuBytesPerSecond >= rates.gpuBytesPerSecond ? "at least " : "",
                rates.cpuBytesPerSecond / 1e6);
    }

    private void announce(String what, String reason) {
        announcer.accept(what + " runs on " + description(), reason);
    }

    @FunctionalInterface
    private interface Compiler<R extends AutoCloseable> {

        CompiledProgram<R> compile(Backend backend) throws BackendException;
    }

    private void openCpu(String reason) throws BackendException {
        whyNoGpu = reason;
        chosen = cpu.open(subtask.memoryLimitBytes, subtask.deviceSlot);
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
