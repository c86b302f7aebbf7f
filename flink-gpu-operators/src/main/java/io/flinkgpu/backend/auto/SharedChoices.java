package io.flinkgpu.backend.auto;

import io.flinkgpu.backend.BackendException;

import org.apache.flink.annotation.Internal;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * Which backend is faster for an operator, found out by one of its subtasks in this process and known to
 * the others as long as one of them holds it. Thread-safe.
 */
@Internal
public final class SharedChoices {

    /** What was found out in this process, the only static state of the choice of a backend. */
    public static final SharedChoices OF_PROCESS = new SharedChoices();

    private final Object oneAtATime = new Object();
    private final Map<UUID, Shared> byOperator = new HashMap<>();

    /**
     * What was found out.
     *
     * @param isGpu whether the GPU is faster
     * @param reason to be announced after what was chosen
     */
    record Choice(boolean isGpu, String reason) {}

    /** Finds it out. */
    @FunctionalInterface
    interface Chooser {

        Choice choose() throws BackendException;
    }

    /** Takes a hold, which the caller closes. */
    synchronized Hold hold(UUID operator) {
        Shared shared = byOperator.computeIfAbsent(operator, it -> new Shared());
        shared.holds++;
        return new Hold(operator, shared);
    }

    private synchronized void letGo(UUID operator, Shared shared) {
        shared.holds--;
        if (shared.holds == 0) {
            byOperator.remove(operator);
        }
    }

    private static final class Shared {

        final Set<String> announced = new HashSet<>();
        volatile Choice choice;
        int holds;
    }

    /** A subtask's. Closing it again does nothing. */
    final class Hold implements AutoCloseable {

        private final UUID operator;
        private final Shared shared;
        private boolean isClosed;

        private Hold(UUID operator, Shared shared) {
            this.operator = operator;
            this.shared = shared;
        }

        /** The lock of those who measure: two at a time would each see half of a GPU. */
        Object oneAtATime() {
            return oneAtATime;
        }

        /** What was found out by now; null if nothing was. */
        Choice choice() {
            return shared.choice;
        }

        /**
         * Finds it out, unless another subtask has, or does so now, for which this one waits. If the
         * chooser fails it is still to be found out.
         */
        Choice choice(Chooser chooser) throws BackendException {
            synchronized (shared) {
                if (shared.choice == null) {
                    shared.choice = chooser.choose();
                }
                return shared.choice;
            }
        }

        /** Whether none of the subtasks has announced this. */
        boolean isNews(String announcement) {
            synchronized (shared.announced) {
                return shared.announced.add(announcement);
            }
        }

        @Override
        public void close() {
            if (!isClosed) {
                isClosed = true;
                letGo(operator, shared);
            }
        }
    }
}
