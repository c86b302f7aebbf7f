package io.flinkgpu.backend.cuda.device;

import io.flinkgpu.backend.BackendException;

import org.apache.flink.annotation.Internal;

import java.util.concurrent.locks.LockSupport;

/**
 * When a stream is done with what it was given. The caller closes it.
 *
 * <p>The device interrupts a processor only for a thread that sleeps. An interrupt for each batch would take
 * a thread that happens to run there a quarter of its rate, and leave gaps between copies.
 */
@Internal
public final class Completion implements AutoCloseable {

    /**
     * How long {@link #await} spins before it sleeps: what some batches of a few MiB take on their way
     * through the device.
     */
    private static final long SPIN_NANOS = 1_000_000;

    private static final long LOOK_NANOS = 50_000;

    private final CudaStream stream;
    private final CudaEvent done;
    private final CudaEvent wake;
    private final SpinPolicy spinPolicy;
    private final CloseStack events = new CloseStack();

    /**
     * @param stream the caller's to close, after this
     */
    Completion(CudaStream stream, SpinPolicy spinPolicy) throws BackendException {
        this.stream = stream;
        this.spinPolicy = spinPolicy;
        try {
            done = events.push(CudaEvent.polled());
            wake = events.push(CudaEvent.waking());
        } catch (BackendException | RuntimeException | Error e) {
            events.closeAfter(e);
            throw e;
        }
    }

    /** When it is done, for other streams. */
    CudaEvent event() {
        return done;
    }

    /** What is awaited from here on: all that the stream has been given so far. */
    public void record() throws BackendException {
        stream.record(done);
    }

    /** Whether {@link #await} would return at once. */
    public boolean isPast() throws BackendException {
        return done.isPast();
    }

    /**
     * Waits for what was recorded last. A thread that sleeps is woken 25 to 80 us late, which is a large
     * part of a small batch's time; so while there are cores to spare this spins a while before it sleeps,
     * and lets other threads have its core meanwhile.
     */
    public void await() throws BackendException {
        long start = System.nanoTime();
        while (!done.isPast()) {
            if (!spinPolicy.maySpin() || System.nanoTime() - start >= SPIN_NANOS) {
                stream.record(wake);
                wake.await();
                return;
            }
            Thread.yield();
        }
    }

    /**
     * The same where the stream has more to do after that, which {@link #await} may wait for as well: this
     * looks now and then.
     */
    public void awaitEarly() throws BackendException {
        while (!done.isPast()) {
            LockSupport.parkNanos(LOOK_NANOS);
        }
    }

    @Override
    public void close() {
        events.close();
    }
}
