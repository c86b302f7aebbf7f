package io.flinkgpu.backend.auto;

import io.flinkgpu.api.BatchPolicy;
import io.flinkgpu.backend.Backend;
import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.BackendFactory;
import io.flinkgpu.backend.CompiledProgram;
import io.flinkgpu.backend.Plan;
import io.flinkgpu.backend.SampleBatch;
import io.flinkgpu.backend.auto.Calibration.CoreSpeed;
import io.flinkgpu.backend.auto.SharedChoices.Choice;

import java.util.Locale;

/**
 * A plan on a GPU and on a core, of which the faster is taken with what was compiled for it. Whatever was
 * not taken is closed with the trial.
 *
 * @param <R> result of a batch
 */
final class BackendTrial<R extends AutoCloseable> implements AutoCloseable {

    /** No core runs a program as fast: the fastest measured, an aggregation, came to 2.8e9. */
    static final double MAX_CORE_BYTES_PER_SECOND = 8e9;

    /** Larger batches are not faster. */
    private static final int MAX_GPU_SAMPLE_BYTES = 16 << 20;

    /** Of this size a core needs a millisecond at most, of which it has time for some. */
    private static final int MAX_CPU_SAMPLE_BYTES = 64 << 10;

    /** How often a slower GPU is measured, as long as it gets faster. */
    private static final int MOST_ROUNDS = 6;

    private static final double NANOS_PER_SECOND = 1e9;

    private final BackendFactory cpu;
    private final AutoBackend.Subtask subtask;
    private final Plan<R> plan;
    private Backend gpu;
    private CompiledProgram<R> onGpu;
    private Backend core;
    private CompiledProgram<R> onCore;

    /** A side with its program, both the caller's. */
    record Side<R extends AutoCloseable>(Backend backend, CompiledProgram<R> program) {}

    /**
     * @param gpu the trial's from here on
     * @param cpu opens the other side, if need be
     */
    BackendTrial(Backend gpu, BackendFactory cpu, AutoBackend.Subtask subtask, Plan<R> plan) {
        this.gpu = gpu;
        this.cpu = cpu;
        this.subtask = subtask;
        this.plan = plan;
    }

    /**
     * Measures which side is faster, unless the plan knows it.
     *
     * @param oneAtATime held meanwhile
     */
    Choice choose(Calibration calibration, Object oneAtATime) throws BackendException {
        if (plan.whyOnCore() != null) {
            return new Choice(false, ": " + plan.whyOnCore());
        }
        onGpu = compileToMeasure(gpu);
        if (plan.isFasterOnDevice()) {
            return new Choice(true, ": a GPU is faster at any size");
        }
        synchronized (oneAtATime) {
            long started = calibration.nanoTime();
            Choice choice = measure(calibration);
            double millis = (calibration.nanoTime() - started) / 1e6;
            String reason =
                    String.format(Locale.ROOT, "%s; measured in %.1f ms", choice.reason(), millis);
            return new Choice(choice.isGpu(), reason);
        }
    }

    private Choice measure(Calibration calibration) throws BackendException {
        SampleBatch.Maker maker = plan.sample();
        int sharers = gpu.placement().sharers();
        try (SampleBatch sample = sample(maker, gpu, MAX_GPU_SAMPLE_BYTES)) {
            double gpuRate = gpuRate(calibration, sample) / sharers;
            if (gpuRate >= MAX_CORE_BYTES_PER_SECOND) {
                return new Choice(true, ofGpu(gpuRate, sharers, sample) + "never as much");
            }
            core = cpu.open(subtask.request());
            onCore = compileToMeasure(core);
            try (SampleBatch ofCore = sample(maker, core, MAX_CPU_SAMPLE_BYTES)) {
                for (int rounds = 1; ; rounds++) {
                    CoreSpeed speed = calibration.oneByOne(onCore, ofCore, gpuRate);
                    Choice choice = choice(gpuRate, speed, ofGpu(gpuRate, sharers, sample));
                    if (choice.isGpu() || rounds == MOST_ROUNDS) {
                        return choice;
                    }
                    // The code that drives a GPU has to be compiled as well.
                    double again = gpuRate(calibration, sample) / sharers;
                    if (again < Calibration.BETTER * gpuRate) {
                        return choice;
                    }
                    gpuRate = again;
                }
            }
        }
    }

    /** Bytes a second of the plan as it is. */
    private double gpuRate(Calibration calibration, SampleBatch sample) throws BackendException {
        double measured = calibration.overlapped(onGpu, sample);
        double moreSeconds = plan.moreDeviceNanos() * sample.batch().rows() / NANOS_PER_SECOND;
        return sample.bytes() / (sample.bytes() / measured + moreSeconds);
    }

    private CompiledProgram<R> compileToMeasure(Backend backend) throws BackendException {
        Plan<R> small = plan.small();
        CompiledProgram<R> program = backend.compile(small.alone());
        if (small != plan) {
            BatchPolicy policy = subtask.policy();
            try {
                plan.fillSmall(
                        program.residents().get(0),
                        backend.allocator(),
                        policy.maxRows(),
                        policy.maxBytes());
            } catch (BackendException | RuntimeException | Error e) {
                program.close();
                throw e;
            }
        }
        return program;
    }

    /** Whether what was measured is not what is asked for, or not any more. */
    private boolean isMeasuredApart() {
        return plan.keepsOfBatches() || plan.small() != plan;
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

    private static Choice choice(double gpuRate, CoreSpeed speed, String ofGpu) {
        double coreRate = speed.bytesPerSecond();
        String measured = String.format(Locale.ROOT, "%.0f MB/s", coreRate / 1e6);
        if (coreRate >= gpuRate) {
            return new Choice(false, ofGpu + "at least " + measured);
        }
        if (speed.isSettled()) {
            return new Choice(true, ofGpu + measured);
        }
        return new Choice(
                speed.expected() < gpuRate,
                String.format(
                        Locale.ROOT,
                        "%s%s, perhaps %.0f once its code is compiled",
                        ofGpu,
                        measured,
                        speed.expected() / 1e6));
    }

    /** The GPU's side; this or another subtask has found that it is the faster one. */
    Side<R> takeGpu() throws BackendException {
        if (onGpu == null || isMeasuredApart()) {
            closeMeasured(onGpu);
            onGpu = null;
            onGpu = gpu.compile(plan);
        }
        Side<R> side = new Side<>(gpu, onGpu);
        gpu = null;
        onGpu = null;
        return side;
    }

    /** The core's side, measured or not. */
    Side<R> takeCore() throws BackendException {
        if (core == null) {
            core = cpu.open(subtask.request());
            onCore = core.compile(plan.alone());
        } else if (isMeasuredApart()) {
            closeMeasured(onCore);
            onCore = null;
            onCore = core.compile(plan);
        }
        Side<R> side = new Side<>(core, onCore);
        core = null;
        onCore = null;
        return side;
    }

    /** Another one is compiled. */
    private void closeMeasured(CompiledProgram<R> program) {
        if (program != null) {
            program.close();
        }
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
