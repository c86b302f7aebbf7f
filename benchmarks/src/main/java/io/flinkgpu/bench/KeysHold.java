package io.flinkgpu.bench;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

/**
 * Where the subtasks of a source wait after their last row, so that a job's memory can be measured while
 * its state is full. For one job of this process at a time; safe for use by several threads.
 */
final class KeysHold {

    private static final long POLL_MILLIS = 50;

    private static volatile KeysHold current = new KeysHold(0);

    private final CountDownLatch arrivals;
    private final CompletableFuture<Void> released = new CompletableFuture<>();

    private KeysHold(int subtasks) {
        arrivals = new CountDownLatch(subtasks);
    }

    /** Begins to hold the next job. */
    static KeysHold begin(int subtasks) {
        KeysHold hold = new KeysHold(subtasks);
        current = hold;
        return hold;
    }

    /** A subtask's; the future is done when it may end. */
    static CompletableFuture<Void> arrive() {
        KeysHold hold = current;
        hold.arrivals.countDown();
        return hold.released;
    }

    /**
     * Returns when all subtasks wait.
     *
     * @param job ends without that only if it fails
     * @throws ExecutionException with what the job failed with
     */
    void await(CompletableFuture<?> job) throws InterruptedException, ExecutionException {
        while (!arrivals.await(POLL_MILLIS, TimeUnit.MILLISECONDS)) {
            if (job.isDone()) {
                job.get();
            }
        }
    }

    /** Lets all subtasks end. */
    void release() {
        released.complete(null);
    }
}
