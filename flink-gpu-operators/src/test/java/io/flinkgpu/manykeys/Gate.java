package io.flinkgpu.manykeys;

import org.apache.flink.api.connector.source.SourceSplit;
import org.apache.flink.api.connector.source.util.ratelimit.RateLimiter;
import org.apache.flink.api.connector.source.util.ratelimit.RateLimiterStrategy;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;

/**
 * Lets a source of one subtask emit some rows, and then waits to be told of more. For one job of this
 * process at a time; safe for use by several threads.
 */
final class Gate<S extends SourceSplit> implements RateLimiterStrategy<S> {

    private static final long serialVersionUID = 1L;

    /** Lets a source end, which asks more than once after its last row. */
    static final long ALL = Long.MAX_VALUE;

    private static final CompletableFuture<Void> OPEN = CompletableFuture.completedFuture(null);
    private static final Object LOCK = new Object();

    private static long left;

    /** What the source waits for; null if it does not. */
    private static CompletableFuture<Void> waiting;

    private static CountDownLatch waits = new CountDownLatch(1);

    /** Lets more rows pass. */
    static void open(long rows) {
        synchronized (LOCK) {
            left = rows;
            waits = new CountDownLatch(1);
            if (waiting != null) {
                left--;
                CompletableFuture<Void> next = waiting;
                waiting = null;
                next.complete(null);
            }
        }
    }

    /** Returns when all rows that may have passed. */
    static void await() throws InterruptedException {
        CountDownLatch latch;
        synchronized (LOCK) {
            latch = waits;
        }
        latch.await();
    }

    /** Lets no rows pass, before a job starts. */
    static void close() {
        synchronized (LOCK) {
            left = 0;
            waiting = null;
            waits = new CountDownLatch(1);
        }
    }

    private static CompletionStage<Void> pass() {
        synchronized (LOCK) {
            if (left > 0) {
                left--;
                return OPEN;
            }
            waits.countDown();
            waiting = new CompletableFuture<>();
            return waiting;
        }
    }

    @Override
    public RateLimiter<S> createRateLimiter(int parallelism) {
        return rows -> pass();
    }
}
