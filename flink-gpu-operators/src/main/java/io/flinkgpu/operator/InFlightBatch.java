package io.flinkgpu.operator;

import org.apache.flink.annotation.Internal;

/**
 * What an operator keeps of a batch on its way: where the result will be, and how it is emitted. The
 * result comes in one part or several. Task thread only.
 *
 * @param <R> result of the batch, or of some of its rows
 */
@Internal
public abstract class InFlightBatch<R extends AutoCloseable> {

    private BatchTicket<R> ticket;
    private long sentMillis;

    /** Emits what a part of the result says; the part is closed afterwards. */
    protected abstract void emitPart(R part) throws Exception;

    /** Called once, after all parts, unless the batch failed. */
    protected abstract void emitEnd() throws Exception;

    /** Whether the batch has rows, and so a result. */
    protected final boolean hasRows() {
        return ticket != null;
    }

    /** Says where the result will be, and when it is; not called for a batch that has no rows. */
    final void submitted(BatchTicket<R> ticket, long nowMillis) {
        this.ticket = ticket;
        this.sentMillis = nowMillis;
    }

    /** When the batch, which has rows, was sent on its way. */
    final long sentMillis() {
        return sentMillis;
    }

    /** Why the batch is not emitted to its end, or null. */
    final Throwable failure() {
        return ticket == null ? null : ticket.failure();
    }

    /**
     * Emits what is there.
     *
     * @return false if more is to come; if not, {@link #failure()} says whether all was emitted
     */
    final boolean emit() throws Exception {
        // In this order: a batch may become done between the two calls.
        boolean done = ticket == null || ticket.isDone();
        R part = ticket == null ? null : ticket.take();
        if (part != null) {
            try {
                emitPart(part);
            } finally {
                ticket.release(part);
            }
        }
        if (done && failure() == null) {
            emitEnd();
        }
        return done;
    }

    /** Gives up on the result. */
    final void abandon() throws Exception {
        if (ticket != null) {
            ticket.abandon();
        }
    }
}
