package io.flinkgpu.embeddings;

import org.apache.flink.annotation.Internal;

import org.apache.arrow.memory.util.MemoryUtil;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Threads for work in parts, all of which have ended when a call returns or throws: what they use may be freed then.
 * They are started by the first work of several parts. One caller at a time.
 */
@Internal
public final class Workers implements AutoCloseable {

    private static final int MOST_CORES = 16;
    private static final long ZEROED_AT_ONCE = 32L << 20;

    private final int threads;
    private final ThreadFactory factory;

    /** Null until it is needed. */
    private ExecutorService executor;

    /**
     * @param name of the threads
     * @param threads the most that work at a time; the caller itself does the work of one
     */
    public Workers(String name, int threads) {
        this(
                threads,
                task -> {
                    Thread thread = new Thread(task, name);
                    thread.setDaemon(true);
                    return thread;
                });
    }

    Workers(int threads, ThreadFactory factory) {
        this.threads = threads;
        this.factory = factory;
    }

    /** As many threads as there are cores, up to 16, to load tables. */
    public static Workers forLoading() {
        int cores = Runtime.getRuntime().availableProcessors();
        return new Workers("gpu-vectors-load", Math.min(MOST_CORES, cores));
    }

    /** Does all work in the caller's thread. */
    public static Workers ofCaller() {
        return new Workers("", 1);
    }

    int threads() {
        return threads;
    }

    /** Some work. */
    @FunctionalInterface
    public interface Work {

        /** Does a part; other threads do others meanwhile. */
        void run(int part) throws IOException;
    }

    /**
     * Does all parts, which are begun in their order.
     *
     * @throws IOException that of the least part that failed, as are unchecked exceptions; parts after it may be left out.
     *     If the caller is interrupted while it waits for threads, an {@link InterruptedIOException}. What it does itself,
     *     like the work of one part, may end by an interrupt otherwise: a channel that it reads is closed. It stays interrupted
     */
    public void run(int parts, Work work) throws IOException {
        int some = Math.min(threads, parts);
        if (some < 2) {
            for (int part = 0; part < parts; part++) {
                work.run(part);
            }
            return;
        }
        if (executor == null) {
            executor = Executors.newFixedThreadPool(threads, factory);
        }
        Parts all = new Parts(parts, work);
        int started = 0;
        try {
            for (; started < some; started++) {
                executor.execute(all);
            }
        } catch (OutOfMemoryError e) {
            // The system has no more threads: those that there are do it all, or the caller.
            if (started == 0) {
                started++;
                all.run();
            }
        } finally {
            all.await(started);
        }
        all.throwFailure();
    }

    /** Zeroes memory, which for the system is the time to give it. */
    public void zero(long address, long bytes) throws IOException {
        run(
                Math.toIntExact((bytes + ZEROED_AT_ONCE - 1) / ZEROED_AT_ONCE),
                part -> {
                    long at = part * ZEROED_AT_ONCE;
                    MemoryUtil.setMemory(
                            address + at, Math.min(ZEROED_AT_ONCE, bytes - at), (byte) 0);
                });
    }

    /** Of one call. */
    private static final class Parts implements Runnable {

        private final int count;
        private final Work work;
        private final AtomicInteger next = new AtomicInteger();
        private final Semaphore ended = new Semaphore(0);
        private volatile boolean isStopped;
        private int failedPart = Integer.MAX_VALUE;
        private Throwable failure;

        Parts(int count, Work work) {
            this.count = count;
            this.work = work;
        }

        @Override
        public void run() {
            try {
                int part;
                while (!isStopped && (part = next.getAndIncrement()) < count) {
                    try {
                        work.run(part);
                    } catch (Throwable e) {
                        failed(part, e);
                    }
                }
            } finally {
                ended.release();
            }
        }

        private synchronized void failed(int part, Throwable e) {
            isStopped = true;
            if (part < failedPart) {
                failedPart = part;
                failure = e;
            }
        }

        void await(int threads) throws InterruptedIOException {
            try {
                ended.acquire(threads);
            } catch (InterruptedException e) {
                isStopped = true;
                ended.acquireUninterruptibly(threads);
                Thread.currentThread().interrupt();
                throw new InterruptedIOException("interrupted while vectors were read");
            }
        }

        synchronized void throwFailure() throws IOException {
            if (failure instanceof IOException e) {
                throw e;
            }
            if (failure instanceof RuntimeException e) {
                throw e;
            }
            if (failure instanceof Error e) {
                throw e;
            }
        }
    }

    @Override
    public void close() {
        if (executor != null) {
            executor.shutdown();
        }
    }
}
