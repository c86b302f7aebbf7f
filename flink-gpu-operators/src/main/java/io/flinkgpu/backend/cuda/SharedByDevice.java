package io.flinkgpu.backend.cuda;

import io.flinkgpu.backend.BackendException;

import java.util.HashMap;
import java.util.Map;

/**
 * One thing for each device, made by the first who wants it and closed by the last who holds it. Subtasks of
 * a process share the context of a device, and so can share what is loaded into it: they would wait for
 * each other in the driver to load it again. Any thread may hold and let go, with the context current.
 *
 * @param <T> what is shared; its methods can be called by several threads at a time
 */
final class SharedByDevice<T extends AutoCloseable> {

    private final Map<Integer, Shared> byOrdinal = new HashMap<>();

    /** Makes it. */
    @FunctionalInterface
    interface Source<T> {
        T open() throws BackendException;
    }

    /** Takes a hold on what a device has, or makes it. The caller closes the hold. */
    synchronized Hold hold(int ordinal, Source<T> source) throws BackendException {
        Shared shared = byOrdinal.get(ordinal);
        if (shared == null) {
            shared = new Shared(ordinal, source.open());
            byOrdinal.put(ordinal, shared);
        }
        shared.holds++;
        return new Hold(shared);
    }

    private synchronized void letGo(Shared shared) throws BackendException {
        shared.holds--;
        if (shared.holds > 0) {
            return;
        }
        byOrdinal.remove(shared.ordinal);
        try {
            shared.value.close();
        } catch (BackendException | RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException(e.getMessage(), e);
        }
    }

    private final class Shared {

        final int ordinal;
        final T value;
        int holds;

        Shared(int ordinal, T value) {
            this.ordinal = ordinal;
            this.value = value;
        }
    }

    /** Keeps what it gives open. Closed once. */
    final class Hold implements AutoCloseable {

        private final Shared shared;

        private Hold(Shared shared) {
            this.shared = shared;
        }

        T get() {
            return shared.value;
        }

        @Override
        public void close() throws BackendException {
            letGo(shared);
        }
    }
}
