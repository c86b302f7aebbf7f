package io.flinkgpu.backend.auto;

import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.CompiledProgram;
import io.flinkgpu.backend.SampleBatch;
import io.flinkgpu.backend.Submission;
import io.flinkgpu.column.ColumnBatch;

import org.apache.flink.annotation.Internal;

import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Measures how fast backends run a program: the best of a few runs, since everything that disturbs one
 * makes it slower. A first run, which takes memory, is not counted.
 */
@Internal
public final class Calibration {

    /** The number of batches that an operator has in flight. */
    private static final int IN_FLIGHT = 3;

    private static final int GPU_ROUNDS = 5;
    private static final long GPU_LIMIT_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    /** A program that starts in the interpreter is compiled meanwhile. */
    private static final long CPU_LIMIT_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    /** In fewer runs than this, most of the time goes into the interpreter and loading classes. */
    private static final int FEWEST_RUNS = 16;

    /** The most that compilation still makes code faster after {@link #FEWEST_RUNS}. */
    private static final int MOST_GAIN = 32;

    /** The speed-up that is assumed to remain when there was no time to see the compiler finish. */
    private static final int LIKELY_GAIN = 3;

    /** How long a core is watched at least. */
    private static final long GLANCE_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    /** When the virtual machine has compiled nothing for this long, it has compiled the program. */
    private static final long SETTLED_NANOS = TimeUnit.MILLISECONDS.toNanos(30);

    /** After this many runs without a better one the program counts as compiled. */
    private static final int SETTLED_RUNS = 256;

    /** What counts as faster, and not as chance. */
    static final double BETTER = 1.05;

    private static final double NANOS_PER_SECOND = 1e9;

    private final Clock clock;

    /** What time it is, for the program and for the compiler of the virtual machine. */
    public interface Clock {

        long nanoTime();

        /** How long methods have been compiled so far; 0 where that is not known. */
        long compilationMillis();

        /** The real ones. */
        Clock SYSTEM =
                new Clock() {
                    @Override
                    public long nanoTime() {
                        return System.nanoTime();
                    }

                    @Override
                    public long compilationMillis() {
                        CompilationMXBean compiler = ManagementFactory.getCompilationMXBean();
                        return compiler != null && compiler.isCompilationTimeMonitoringSupported()
                                ? compiler.getTotalCompilationTime()
                                : 0;
                    }
                };
    }

    /**
     * The speed of a core.
     *
     * @param isSettled whether it will get no faster, as its code is no longer being compiled
     */
    record CoreSpeed(double bytesPerSecond, boolean isSettled) {

        /** What it will come to, in bytes a second. */
        double expected() {
            return isSettled ? bytesPerSecond : LIKELY_GAIN * bytesPerSecond;
        }
    }

    Calibration(Clock clock) {
        this.clock = clock;
    }

    /** What time it is by the clock that is measured with. */
    long nanoTime() {
        return clock.nanoTime();
    }

    /** Bytes a second with several batches on their way. */
    <R extends AutoCloseable> double overlapped(CompiledProgram<R> program, SampleBatch sample)
            throws BackendException {
        run(program, sample.batch(), IN_FLIGHT);
        long started = clock.nanoTime();
        double best = 0;
        for (int round = 0; round < GPU_ROUNDS; round++) {
            best = Math.max(best, rate(program, sample, IN_FLIGHT));
            if (clock.nanoTime() - started > GPU_LIMIT_NANOS) {
                break;
            }
        }
        return best;
    }

    /**
     * Runs one batch after the other; stops as soon as it is plain which is more, the core's speed or
     * another in bytes a second.
     */
    <R extends AutoCloseable> CoreSpeed oneByOne(
            CompiledProgram<R> program, SampleBatch sample, double other) throws BackendException {
        run(program, sample.batch(), 1);
        long started = clock.nanoTime();
        long compiledMillis = clock.compilationMillis();
        long compiledAt = started;
        double best = 0;
        double last = 0;
        int improved = 0;
        for (int runs = 1; ; runs++) {
            best = Math.max(best, rate(program, sample, 1));
            if (best > BETTER * last) {
                last = best;
                improved = runs;
            }
            long now = clock.nanoTime();
            long nowCompiledMillis = clock.compilationMillis();
            if (nowCompiledMillis != compiledMillis) {
                compiledMillis = nowCompiledMillis;
                compiledAt = now;
            }
            boolean isSettled =
                    runs >= FEWEST_RUNS && now - compiledAt >= SETTLED_NANOS
                            || runs - improved >= SETTLED_RUNS;
            boolean isHopeless =
                    runs >= FEWEST_RUNS
                            && now - started >= GLANCE_NANOS
                            && MOST_GAIN * best < other;
            if (best >= other || isHopeless || isSettled || now - started >= CPU_LIMIT_NANOS) {
                return new CoreSpeed(best, isSettled);
            }
        }
    }

    private <R extends AutoCloseable> double rate(
            CompiledProgram<R> program, SampleBatch sample, int batches) throws BackendException {
        long started = clock.nanoTime();
        run(program, sample.batch(), batches);
        long nanos = Math.max(1, clock.nanoTime() - started);
        return NANOS_PER_SECOND * batches * sample.bytes() / nanos;
    }

    private static <R extends AutoCloseable> void run(
            CompiledProgram<R> program, ColumnBatch batch, int batches) throws BackendException {
        List<Submission<R>> submissions = new ArrayList<>();
        for (int i = 0; i < batches; i++) {
            submissions.add(program.submit(batch));
        }
        for (Submission<R> submission : submissions) {
            close(submission.await());
        }
    }

    private static void close(AutoCloseable result) throws BackendException {
        try {
            result.close();
        } catch (Exception e) {
            throw new BackendException("a result did not close: " + e.getMessage(), e);
        }
    }
}
