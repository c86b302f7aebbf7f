package io.flinkgpu.text.automaton;

import org.apache.flink.annotation.Internal;

import java.util.concurrent.CancellationException;

/** Ends long work of a thread whose result nobody wants any more. */
@Internal
public final class Cancellation {

    /** Bytes, or steps of an automaton, that are done in well below a second. */
    public static final int INTERVAL = 1 << 16;

    private Cancellation() {}

    /**
     * Leaves the thread's interrupt set.
     *
     * @throws CancellationException if the thread was interrupted
     */
    public static void check() {
        if (Thread.currentThread().isInterrupted()) {
            throw new CancellationException("the operator closed while a batch was worked on");
        }
    }
}
