package io.flinkgpu.backend.cuda.device;

import io.flinkgpu.backend.BackendException;

import java.util.HashMap;
import java.util.Map;

/**
 * One thing for each key, made by the first who wants it and closed by the last who holds it. Subtasks of a
 * process share the context of a device, and so can share what is loaded into it: to make it again would
 * cost each of them time and memory. Any thread may hold and let go, with the context current; those who
 * want what another is making wait for it, and nobody else does.
 *
 * @param <K> equal keys share
 * @param <T> what is shared; its methods can be called by several threads at a time
 */
public final class SharedByKey<K, T extends AutoCloseable> {

    private final Map<K, Shared> byKey = new HashMap<>();

    /** Makes it. */
    @FunctionalInterface
    public interface Source<T> {
        T open() throws BackendException;
    }

    /** Takes a hold on what a key has, or makes it. The caller closes the hold. */
    public Hold hold(K key, Source<T> source) throws BackendException {
        Shared shared;
        synchronized (byKey) {
            shared = byKey.computeIfAbsent(key, Shared::new);
            shared.holds++;
        }
        try {
            shared.open(source);
        } catch (BackendException | RuntimeException | Error e) {
            letGo(shared);
            throw e;
        }
        return new Hold(shared);
    }

    private void letGo(Shared shared) throws BackendException {
        synchronized (byKey) {
            shared.holds--;
            if (shared.holds > 0) {
                return;
            }
            byKey.remove(shared.key);
        }
        shared.close();
    }

    private final class Shared {

        final K key;
        T value;
        int holds;

        Shared(K key) {
            this.key = key;
        }

        synchronized void open(Source<T> source) throws BackendException {
            if (value == null) {
                value = source.open();
            }
        }

        synchronized void close() throws BackendException {
            try {
                if (value != null) {
                    value.close();
                }
            } catch (BackendException | RuntimeException e) {
                throw e;
            } catch (Exception e) {
                throw new IllegalStateException(e.getMessage(), e);
            }
        }
    }

    /** Keeps what it gives open. Closed once. */
    public final class Hold implements AutoCloseable {

        private final Shared shared;

        private Hold(Shared shared) {
            this.shared = shared;
        }

        public T get() {
            return shared.value;
        }

        @Override
        public void close() throws BackendException {
            letGo(shared);
        }
    }
}
