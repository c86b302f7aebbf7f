package io.flinkgpu.backend.cuda.lookup;

import io.flinkgpu.backend.BackendException;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Reads vectors from disk, as many at a time as a disk works on. The threads are its own; one thread calls it. */
final class DiskReader implements AutoCloseable {

    private static final int THREADS = 32;

    /** Fewer reads than this are not worth another thread. */
    private static final int LEAST_READS = 4;

    /** Null until it is needed. */
    private ExecutorService threads;

    /** One of several reads, by its number. */
    @FunctionalInterface
    interface Read {
        void run(int number) throws BackendException;
    }

    /** Does all of them, and returns when none is under way any more. */
    void run(int count, Read read) throws BackendException {
        int workers = Math.min(THREADS, count / LEAST_READS);
        if (workers < 2) {
            runPart(0, count, read);
            return;
        }
        if (threads == null) {
            threads =
                    Executors.newFixedThreadPool(
                            THREADS,
                            work -> {
                                Thread thread = new Thread(work, "gpu-lookup-disk");
                                thread.setDaemon(true);
                                return thread;
                            });
        }
        List<Future<?>> parts = new ArrayList<>();
        for (int i = 0; i < workers; i++) {
            int from = (int) ((long) count * i / workers);
            int to = (int) ((long) count * (i + 1) / workers);
            parts.add(
                    threads.submit(
                            () -> {
                                runPart(from, to, read);
                                return null;
                            }));
        }
        awaitAll(parts);
    }

    private static void runPart(int from, int to, Read read) throws BackendException {
        for (int i = from; i < to; i++) {
            read.run(i);
        }
    }

    /** What is read to must not be used for something else before all have ended. */
    private static void awaitAll(List<Future<?>> parts) throws BackendException {
        BackendException failure = null;
        boolean isInterrupted = false;
        for (Future<?> part : parts) {
            for (boolean isDone = false; !isDone; ) {
                try {
                    part.get();
                    isDone = true;
                } catch (InterruptedException e) {
                    isInterrupted = true;
                } catch (ExecutionException e) {
                    failure = new BackendException(e.getCause().getMessage(), e.getCause());
                    isDone = true;
                }
            }
        }
        if (isInterrupted) {
            Thread.currentThread().interrupt();
        }
        if (failure != null) {
            throw failure;
        }
    }

    @Override
    public void close() {
        if (threads != null) {
            threads.shutdownNow();
        }
    }
}
