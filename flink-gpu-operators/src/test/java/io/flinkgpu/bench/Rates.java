package io.flinkgpu.bench;

import io.flinkgpu.backend.Backend;
import io.flinkgpu.backend.CompiledProgram;
import io.flinkgpu.backend.Submission;
import io.flinkgpu.column.ColumnBatch;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Runs batches through a program for a while, in turn, and says how much that was. */
final class Rates<R extends AutoCloseable> {

    private final Work<R> work;
    private final List<ColumnBatch> batches;

    /**
     * @param batches the work's, and the caller's to close
     */
    Rates(Work<R> work, List<ColumnBatch> batches) {
        this.work = work;
        this.batches = batches;
    }

    /** By the host's clock, on this thread; each batch at least once. */
    double wall(CompiledProgram<R> program, int inFlight, long nanos) throws Exception {
        Deque<Submission<R>> running = new ArrayDeque<>();
        double amount = 0;
        long start = System.nanoTime();
        for (int i = 0; i < batches.size() || System.nanoTime() - start < nanos; i++) {
            ColumnBatch batch = batches.get(i % batches.size());
            amount += work.amount(batch);
            running.add(program.submit(batch));
            if (running.size() == inFlight) {
                running.poll().await().close();
            }
        }
        while (!running.isEmpty()) {
            running.poll().await().close();
        }
        return amount / (System.nanoTime() - start);
    }

    /** By the device's clock, one batch at a time; one rate for each batch. */
    double[] device(CompiledProgram<R> program, long nanos) throws Exception {
        List<Double> rates = new ArrayList<>();
        long start = System.nanoTime();
        for (int i = 0; i < batches.size() || System.nanoTime() - start < nanos; i++) {
            ColumnBatch batch = batches.get(i % batches.size());
            R result = program.submit(batch).await();
            rates.add(work.amount(batch) / Math.max(1, work.deviceNanos(result)));
            result.close();
        }
        return rates.stream().mapToDouble(Double::doubleValue).toArray();
    }

    /** A thread a backend, all at once, their rates added. */
    double wall(List<? extends Backend> backends, int inFlight, long nanos) throws Exception {
        ExecutorService executor = Executors.newFixedThreadPool(backends.size());
        try {
            List<Future<Double>> rates = new ArrayList<>();
            for (Backend backend : backends) {
                rates.add(executor.submit(() -> onBackend(backend, inFlight, nanos)));
            }
            double sum = 0;
            for (Future<Double> rate : rates) {
                sum += rate.get();
            }
            return sum;
        } finally {
            executor.shutdown();
        }
    }

    private double onBackend(Backend backend, int inFlight, long nanos) throws Exception {
        try (CompiledProgram<R> program = work.compile(backend)) {
            return wall(program, inFlight, nanos);
        }
    }

    /** Fails unless both programs make the same of every batch. */
    void check(
            CompiledProgram<R> program, CompiledProgram<R> oracle, List<ColumnBatch> oracleBatches)
            throws Exception {
        for (int i = 0; i < batches.size(); i++) {
            R actual = program.submit(batches.get(i)).await();
            R expected = oracle.submit(oracleBatches.get(i)).await();
            work.check(actual, expected);
            actual.close();
            expected.close();
        }
    }
}
