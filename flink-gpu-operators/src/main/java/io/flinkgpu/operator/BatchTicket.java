package io.flinkgpu.operator;

/**
 * The place of one batch's result, which comes in one part or several: filled by the pipeline's
 * thread, emptied or given up by the task thread. The second of the two closes a part that is not wanted.
 */
final class BatchTicket<R extends AutoCloseable> {

    private R part;
    private boolean held;
    private boolean done;
    private boolean abandoned;
    private Throwable failure;

    /**
     * Hands over the next part; it is closed at once if the task thread has given up. The part before
     * must be released.
     */
    synchronized void put(R next) throws Exception {
        if (abandoned) {
            next.close();
        } else {
            part = next;
        }
    }

    /** Says that there are no more parts. */
    synchronized void complete() {
        done = true;
    }

    synchronized void fail(Throwable failure) {
        this.failure = failure;
        done = true;
    }

    /**
     * Waits until the task thread has closed all parts put so far.
     *
     * @return false if it gave up
     */
    synchronized boolean awaitReleased() throws InterruptedException {
        while (!abandoned && (part != null || held)) {
            wait();
        }
        return !abandoned;
    }

    /** Whether no more parts come than the one that may be there. */
    synchronized boolean isDone() {
        return done;
    }

    /** Why there are no more parts, or null if nothing went wrong. */
    synchronized Throwable failure() {
        return failure;
    }

    /** Takes a part, or null if none is there. The caller releases it. */
    synchronized R take() {
        R taken = part;
        part = null;
        held = taken != null;
        return taken;
    }

    /** Closes a part that was taken. */
    void release(R taken) throws Exception {
        try {
            taken.close();
        } finally {
            released();
        }
    }

    private synchronized void released() {
        held = false;
        notifyAll();
    }

    /** Gives up on the result; closes what is there. */
    synchronized void abandon() throws Exception {
        abandoned = true;
        notifyAll();
        R unwanted = part;
        part = null;
        if (unwanted != null) {
            unwanted.close();
        }
    }
}
