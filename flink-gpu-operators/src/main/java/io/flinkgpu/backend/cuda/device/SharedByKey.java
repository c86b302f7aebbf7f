package io.flinkgpu.backend.cuda.device;

import io.flinkgpu.backend.BackendException;

import org.apache.flink.annotation.Internal;

import java.util.HashMap;
import java.util.Map;

/**
 * One thing for each key, made by the first who wants it and closed by the last who holds it. Subtasks of a
 * process share the context of a device, and so can share what is loaded into it: to make it again would
 * cost each of them time and memory. Any thread may hold and let go, with the context current; those who
 * want what another is making wait for it, and nobody else does.
 */
@Internal
public final class SharedByKey {

    private final Map<Key<?>, Shared<?>> byKey = new HashMap<>();

    /**
     * Equal keys share.
     *
     * @param <T> what is shared; its methods can be called by several threads at a time
     */
    public interface Key<T extends AutoCloseable> {}

    /** Makes it. */
    @FunctionalInterface
    public interface Source<T> {
        T open() throws BackendException;
    }

    /** Takes a hold on what a key has, or makes it. The caller closes the hold. */
    public <T extends AutoCloseable> Hold<T> hold(Key<T> key, Source<T> source)
            throws BackendException {
        Shared<T> shared;
        synchronized (byKey) {
            // Equal keys are of one class, which says what they share.
            @SuppressWarnings("unchecked")
            Shared<T> known = (Shared<T>) byKey.computeIfAbsent(key, Shared::new);
            shared = known;
            shared.holds++;
        }
        try {
            shared.open(source);
        } catch (BackendException | RuntimeException | Error e) {
            letGo(shared);
            throw e;
        }
        return new Hold<>(this, shared);
    }

    private void letGo(Shared<?> shared) throws BackendException {
        synchronized (byKey) {
            shared.holds--;
            if (shared.holds > 0) {
                return;
            }
            byKey.remove(shared.key);
        }
        shared.close();
    }

    private static final class Shared<T extends AutoCloseable> {

        final Key<?> key;
        T value;
        int holds;

        Shared(Key<?> key) {
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
    public static final class Hold<T extends AutoCloseable> implements AutoCloseable {

        private final SharedByKey owner;
        private final Shared<T> shared;

        private Hold(SharedByKey owner, Shared<T> shared) {
            this.owner = owner;
            this.shared = shared;
        }

        public T get() {
            return shared.value;
        }

        @Override
        public void close() throws BackendException {
            owner.letGo(shared);
        }
    }
}
