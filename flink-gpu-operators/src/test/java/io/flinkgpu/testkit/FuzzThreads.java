package io.flinkgpu.testkit;

import io.flinkgpu.backend.Backend;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/** Compares the cases of ascending seeds, each by its seed alone, on all cores. The first difference ends it. */
final class FuzzThreads {

    /** What one thread compares with. */
    interface Comparer extends AutoCloseable {

        /** Compares the case of a seed; counts nothing for rules that are refused. */
        void compare(long seed, FuzzTally tally) throws Exception;

        @Override
        void close();
    }

    /** Compares the rule set of a seed. */
    interface Sets {
        void compare(Redactor redactor, long seed, FuzzTally tally) throws Exception;
    }

    private FuzzThreads() {}

    /** Compares with a backend, which it closes: every other rule set is cut into several automata. */
    static Comparer on(Backend backend, Sets sets) {
        Redactor whole = new BackendRedactor(backend, new LastCompiled(), 1, 17);
        Redactor parts = new BackendRedactor(backend, LastCompiled.inParts(), 0, 64);
        return new Comparer() {
            @Override
            public void compare(long seed, FuzzTally tally) throws Exception {
                sets.compare(seed % 2 == 0 ? whole : parts, seed, tally);
            }

            @Override
            public void close() {
                backend.close();
            }
        };
    }

    /** Compares at least {@code wanted} pairs; a thread opens and closes its own comparer. */
    static FuzzTally run(long firstSeed, long wanted, Callable<Comparer> open) throws Exception {
        int threads = Math.max(2, Runtime.getRuntime().availableProcessors());
        FuzzTally tally = new FuzzTally();
        AtomicLong nextSeed = new AtomicLong(firstSeed);
        AtomicBoolean failed = new AtomicBoolean();
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        try {
            List<Future<?>> workers = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                workers.add(
                        pool.submit(
                                () -> {
                                    boolean done = false;
                                    try (Comparer comparer = open.call()) {
                                        while (tally.pairs() < wanted && !failed.get()) {
                                            comparer.compare(nextSeed.getAndIncrement(), tally);
                                        }
                                        done = true;
                                    } finally {
                                        failed.compareAndSet(false, !done);
                                    }
                                    return null;
                                }));
            }
            for (Future<?> worker : workers) {
                worker.get();
            }
        } finally {
            pool.shutdownNow();
        }
        System.out.printf(
                "%s of seeds from %d to %d, threads=%d%n",
                tally, firstSeed, nextSeed.get() - 1, threads);
        return tally;
    }
}
