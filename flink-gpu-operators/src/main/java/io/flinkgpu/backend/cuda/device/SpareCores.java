package io.flinkgpu.backend.cuda.device;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Whether a thread that waits for a device may keep a core busy meanwhile. Each open backend has a thread
 * that may wait, besides the task's thread that has work to do: if these are more than the cores, who looks
 * instead of sleeping takes the core from who works. Thread-safe.
 */
public final class SpareCores {

    /** Of this process, whose backends all wait on the same cores. */
    public static final SpareCores OF_PROCESS =
            new SpareCores(Runtime.getRuntime().availableProcessors());

    /** A backend's thread, and the task's. */
    private static final int THREADS = 2;

    private final int processors;
    private final AtomicInteger backends = new AtomicInteger();

    SpareCores(int processors) {
        this.processors = processors;
    }

    /** Counts a backend until the caller closes the result, once. */
    public AutoCloseable enter() {
        backends.incrementAndGet();
        return backends::decrementAndGet;
    }

    boolean areThere() {
        return THREADS * backends.get() <= processors;
    }
}
