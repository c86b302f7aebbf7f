package io.flinkgpu.backend.cuda.device;

import org.apache.flink.annotation.Internal;

import java.util.ArrayDeque;
import java.util.Deque;

/** Closes what was pushed, the last first, all of it whatever fails. */
@Internal
public final class CloseStack {

    private final Deque<AutoCloseable> resources = new ArrayDeque<>();

    /** Takes over a resource and returns it. */
    public <T extends AutoCloseable> T push(T resource) {
        resources.push(resource);
        return resource;
    }

    /**
     * Closes everything.
     *
     * @throws IllegalStateException the first failure, the others suppressed
     */
    public void close() {
        IllegalStateException failure = null;
        while (!resources.isEmpty()) {
            try {
                resources.pop().close();
            } catch (Exception | Error e) {
                if (failure == null) {
                    failure =
                            e instanceof IllegalStateException illegal
                                    ? illegal
                                    : new IllegalStateException(e.getMessage(), e);
                } else {
                    failure.addSuppressed(e);
                }
            }
        }
        if (failure != null) {
            throw failure;
        }
    }

    /** Closes everything on the way out with a failure, which keeps those of closing. */
    public void closeAfter(Throwable cause) {
        try {
            close();
        } catch (IllegalStateException e) {
            cause.addSuppressed(e);
        }
    }
}
