package io.flinkgpu.bench;

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

/** A program on one backend: runs batches for a while, in turn, and says how much that was. */
final class Rates<R extends AutoCloseable> {

    private final Work<R> work;
    private final List<ColumnBatch> batches;
    private final CompiledProgram<R> program;

    /**
     * @param program the caller's to close, after this
     * @param batches in memory that its backend can read; the caller's to close, after this
     */
    Rates(Work<R> work, CompiledProgram<R> program, List<ColumnBatch> batches) {
        this.work = work;
        this.program = program;
        this.batches = batches;
    }

    /** By the host's clock, on this thread; so many batches at least that each place is used twice. */
    double wall(int inFlight, long nanos) throws Exception {
        Deque<Submission<R>> running = new ArrayDeque<>();
        double amount = 0;
        long start = System.nanoTime();
        for (int i = 0; i < 2 * inFlight || System.nanoTime() - start < nanos; i++) {
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

    /** By the device's clock, one batch at a time; one rate for each. */
    double[] device(long nanos) throws Exception {
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

    /** A thread each, all at once; the sum of their rates. */
    static double together(List<? extends Rates<?>> all, int inFlight, long nanos)
            throws Exception {
        ExecutorService executor = Executors.newFixedThreadPool(all.size());
        try {
            List<Future<Double>> rates = new ArrayList<>();
            for (Rates<?> one : all) {
                rates.add(executor.submit(() -> one.wall(inFlight, nanos)));
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

    /**
     * Fails unless this makes the same of every batch as the others, which share the batches among them
     * and work at once.
     */
    void check(List<Rates<R>> oracles) throws Exception {
        ExecutorService executor = Executors.newFixedThreadPool(oracles.size());
        try {
            for (int from = 0; from < batches.size(); from += oracles.size()) {
                List<Future<R>> expected = new ArrayList<>();
                for (int i = 0; i < Math.min(oracles.size(), batches.size() - from); i++) {
                    Rates<R> oracle = oracles.get(i);
                    ColumnBatch batch = oracle.batches.get(from + i);
                    expected.add(executor.submit(() -> oracle.program.submit(batch).await()));
                }
                compare(from, expected);
            }
        } finally {
            executor.shutdown();
        }
    }

    private void compare(int from, List<Future<R>> expected) throws Exception {
        List<R> results = new ArrayList<>();
        try {
            for (Future<R> one : expected) {
                results.add(one.get());
            }
            for (int i = 0; i < expected.size(); i++) {
                R actual = program.submit(batches.get(from + i)).await();
                try {
                    work.check(batches.get(from + i), actual, results.get(i));
                } finally {
                    actual.close();
                }
            }
        } finally {
            for (R result : results) {
                result.close();
            }
        }
    }
}
