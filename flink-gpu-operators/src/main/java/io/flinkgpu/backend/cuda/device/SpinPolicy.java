package io.flinkgpu.backend.cuda.device;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Whether a thread that waits for a device may keep a core busy meanwhile. Each open backend has a thread
 * that may wait, besides the task's thread that has work to do: if these are more than the cores, a
 * spinning thread would starve a working one. Thread-safe.
 */
final class SpinPolicy {

    /** A backend's thread, and the task's. */
    private static final int THREADS = 2;

    private final int processors;
    private final AtomicInteger backends = new AtomicInteger();

    SpinPolicy(int processors) {
        this.processors = processors;
    }

    /** Counts a backend until {@link #leave}. */
    void enter() {
        backends.incrementAndGet();
    }

    void leave() {
        backends.decrementAndGet();
    }

    boolean maySpin() {
        return THREADS * backends.get() <= processors;
    }
}
