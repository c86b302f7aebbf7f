package io.flinkgpu;

import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.CompiledProgram;
import io.flinkgpu.backend.Submission;
import io.flinkgpu.column.ColumnBatch;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Measures how fast backends run a program: the best of a few runs, since everything that disturbs one
 * makes it slower. A first run, which takes memory, is not counted.
 */
final class Calibration {

    /** As many batches as an operator has on their way. */
    private static final int IN_FLIGHT = 3;

    private static final int GPU_ROUNDS = 5;
    private static final long GPU_LIMIT_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    /** A program that starts in the interpreter is compiled meanwhile. */
    private static final long CPU_LIMIT_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    /** So long without a better run, and there will be none. */
    private static final long CPU_PATIENCE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private static final double NANOS_PER_SECOND = 1e9;

    private final LongSupplier nanoTime;

    /**
     * @param nanoTime {@link System#nanoTime}, or a clock made up for a test
     */
    Calibration(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /** Bytes a second with several batches on their way. */
    <R extends AutoCloseable> double overlapped(CompiledProgram<R> program, SampleBatch sample)
            throws BackendException {
        run(program, sample.batch(), IN_FLIGHT);
        long started = nanoTime.getAsLong();
        double best = 0;
        for (int round = 0; round < GPU_ROUNDS; round++) {
            best = Math.max(best, rate(program, sample, IN_FLIGHT));
            if (nanoTime.getAsLong() - started > GPU_LIMIT_NANOS) {
                break;
            }
        }
        return best;
    }

    /** Bytes a second with one batch after the other; stops as soon as they are enough. */
    <R extends AutoCloseable> double oneByOne(
            CompiledProgram<R> program, SampleBatch sample, double enough) throws BackendException {
        run(program, sample.batch(), 1);
        long started = nanoTime.getAsLong();
        long now = started;
        long improved = started;
        double best = 0;
        while (best < enough
                && now - started < CPU_LIMIT_NANOS
                && now - improved < CPU_PATIENCE_NANOS) {
            double rate = rate(program, sample, 1);
            now = nanoTime.getAsLong();
            if (rate > best) {
                best = rate;
                improved = now;
            }
        }
        return best;
    }

    private <R extends AutoCloseable> double rate(
            CompiledProgram<R> program, SampleBatch sample, int batches) throws BackendException {
        long started = nanoTime.getAsLong();
        run(program, sample.batch(), batches);
        long nanos = Math.max(1, nanoTime.getAsLong() - started);
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
