package io.flinkgpu.operator;

/**
 * The place of one batch's result: filled by the pipeline's thread, emptied or given up by the task
 * thread. Whoever comes second closes the result if nobody wants it.
 */
final class BatchTicket<R extends AutoCloseable> {

    private R result;
    private Throwable failure;
    private boolean done;
    private boolean abandoned;

    /** Hands over the result; it is closed at once if the task thread has given up. */
    synchronized void complete(R result) throws Exception {
        done = true;
        if (abandoned) {
            result.close();
        } else {
            this.result = result;
        }
    }

    synchronized void fail(Throwable failure) {
        done = true;
        this.failure = failure;
    }

    synchronized boolean isDone() {
        return done;
    }

    /** The failure of a batch that is done, or null. */
    synchronized Throwable failure() {
        return failure;
    }

    /** Takes the result of a batch that is done; the caller closes it. */
    synchronized R take() {
        R taken = result;
        result = null;
        return taken;
    }

    /** Gives up on the result; closes it if it is there. */
    synchronized void abandon() throws Exception {
        abandoned = true;
        R unwanted = take();
        if (unwanted != null) {
            unwanted.close();
        }
    }
}
