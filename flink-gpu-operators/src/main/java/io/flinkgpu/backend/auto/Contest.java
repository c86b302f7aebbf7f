package io.flinkgpu.backend.auto;

import io.flinkgpu.backend.Backend;
import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.BackendFactory;
import io.flinkgpu.backend.CompiledProgram;
import io.flinkgpu.backend.auto.Calibration.CoreSpeed;
import io.flinkgpu.backend.auto.SharedVerdicts.Verdict;

import java.util.Locale;
import java.util.function.Supplier;

/**
 * A program on a GPU and on a core, of which the faster is taken with what was compiled for it. Whatever
 * was not taken is closed with the contest.
 *
 * @param <R> result of a batch
 */
final class Contest<R extends AutoCloseable> implements AutoCloseable {

    /** No core runs a program as fast: the fastest measured, an aggregation, came to 2.8e9. */
    static final double MAX_CORE_BYTES_PER_SECOND = 8e9;

    /** Larger batches are not faster. */
    private static final int MAX_GPU_SAMPLE_BYTES = 16 << 20;

    /** Of this size a core needs a millisecond at most, of which it has time for some. */
    private static final int MAX_CPU_SAMPLE_BYTES = 64 << 10;

    /** How often a GPU that is behind is measured, as long as it gets faster. */
    private static final int MOST_LOOKS = 6;

    private final BackendFactory cpu;
    private final AutoBackend.Subtask subtask;
    private final Compiler<R> compiler;
    private final Supplier<SampleBatch.Maker> samples;
    private Backend gpu;
    private CompiledProgram<R> onGpu;
    private Backend core;
    private CompiledProgram<R> onCore;

    /** Prepares the program. */
    @FunctionalInterface
    interface Compiler<R extends AutoCloseable> {

        CompiledProgram<R> compile(Backend backend) throws BackendException;
    }

    /** A side with its program, both the caller's. */
    record Side<R extends AutoCloseable>(Backend backend, CompiledProgram<R> program) {}

    /**
     * @param gpu the contest's from here on
     * @param cpu opens the other side, if need be
     */
    Contest(
            Backend gpu,
            BackendFactory cpu,
            AutoBackend.Subtask subtask,
            Compiler<R> compiler,
            Supplier<SampleBatch.Maker> samples) {
        this.gpu = gpu;
        this.cpu = cpu;
        this.subtask = subtask;
        this.compiler = compiler;
        this.samples = samples;
    }

    /**
     * Measures which side is faster.
     *
     * @param oneAtATime held meanwhile
     */
    Verdict judge(Calibration calibration, Object oneAtATime) throws BackendException {
        onGpu = compiler.compile(gpu);
        synchronized (oneAtATime) {
            long started = calibration.nanoTime();
            Verdict verdict = measure(calibration);
            double millis = (calibration.nanoTime() - started) / 1e6;
            String reason =
                    String.format(Locale.ROOT, "%s; measured in %.1f ms", verdict.reason(), millis);
            return new Verdict(verdict.isGpu(), reason);
        }
    }

    private Verdict measure(Calibration calibration) throws BackendException {
        SampleBatch.Maker maker = samples.get();
        int sharers = subtask.sharers(gpu);
        try (SampleBatch sample = sample(maker, gpu, MAX_GPU_SAMPLE_BYTES)) {
            double gpuRate = calibration.overlapped(onGpu, sample) / sharers;
            if (gpuRate >= MAX_CORE_BYTES_PER_SECOND) {
                return new Verdict(true, ofGpu(gpuRate, sharers, sample) + "never as much");
            }
            compileOnCore();
            try (SampleBatch ofCore = sample(maker, core, MAX_CPU_SAMPLE_BYTES)) {
                for (int looks = 1; ; looks++) {
                    CoreSpeed speed = calibration.oneByOne(onCore, ofCore, gpuRate);
                    Verdict verdict = verdict(gpuRate, speed, ofGpu(gpuRate, sharers, sample));
                    if (verdict.isGpu() || looks == MOST_LOOKS) {
                        return verdict;
                    }
                    // The code that drives a GPU has to be compiled as well.
                    double again = calibration.overlapped(onGpu, sample) / sharers;
                    if (again < Calibration.BETTER * gpuRate) {
                        return verdict;
                    }
                    gpuRate = again;
                }
            }
        }
    }

    private static String ofGpu(double gpuRate, int sharers, SampleBatch sample) {
        return String.format(
                Locale.ROOT,
                ": the GPU does %.0f MB/s for each of up to %d subtasks in batches of %d bytes, a core ",
                gpuRate / 1e6,
                sharers,
                sample.bytes());
    }

    private SampleBatch sample(SampleBatch.Maker maker, Backend on, int maxBytes) {
        int maxRows = subtask.policy().maxRows();
        return maker.make(on.allocator(), maxRows, Math.min(subtask.policy().maxBytes(), maxBytes));
    }

    private static Verdict verdict(double gpuRate, CoreSpeed speed, String ofGpu) {
        double coreRate = speed.bytesPerSecond();
        String measured = String.format(Locale.ROOT, "%.0f MB/s", coreRate / 1e6);
        if (coreRate >= gpuRate) {
            return new Verdict(false, ofGpu + "at least " + measured);
        }
        if (speed.isSettled()) {
            return new Verdict(true, ofGpu + measured);
        }
        return new Verdict(
                speed.expected() < gpuRate,
                String.format(
                        Locale.ROOT,
                        "%s%s, perhaps %.0f once its code is compiled",
                        ofGpu,
                        measured,
                        speed.expected() / 1e6));
    }

    /** The GPU's side, whoever found out that it is the faster one. */
    Side<R> takeGpu() throws BackendException {
        if (onGpu == null) {
            onGpu = compiler.compile(gpu);
        }
        Side<R> side = new Side<>(gpu, onGpu);
        gpu = null;
        onGpu = null;
        return side;
    }

    /** The core's side, measured or not. */
    Side<R> takeCore() throws BackendException {
        if (onCore == null) {
            compileOnCore();
        }
        Side<R> side = new Side<>(core, onCore);
        core = null;
        onCore = null;
        return side;
    }

    private void compileOnCore() throws BackendException {
        core = cpu.open(subtask.memoryLimitBytes(), subtask.deviceSlot());
        onCore = compiler.compile(core);
    }

    @Override
    @SuppressWarnings("try") // They are there to be closed.
    public void close() {
        try (Backend loser = core;
                CompiledProgram<R> onLoser = onCore;
                Backend otherLoser = gpu;
                CompiledProgram<R> onOtherLoser = onGpu) {
            core = null;
            onCore = null;
            gpu = null;
            onGpu = null;
        }
    }
}
