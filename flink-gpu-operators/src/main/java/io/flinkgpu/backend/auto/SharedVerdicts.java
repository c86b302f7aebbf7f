package io.flinkgpu.backend.auto;

import io.flinkgpu.backend.BackendException;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * Which backend is faster for an operator, found out by one of its subtasks in this process and known to
 * the others as long as one of them holds it. Thread-safe.
 */
public final class SharedVerdicts {

    /** What was found out in this process, the only static state of the choice of a backend. */
    public static final SharedVerdicts OF_PROCESS = new SharedVerdicts();

    private final Object oneAtATime = new Object();
    private final Map<UUID, Shared> byOperator = new HashMap<>();

    /**
     * What was found out.
     *
     * @param isGpu whether the GPU is faster
     * @param reason to be announced behind what was chosen
     */
    record Verdict(boolean isGpu, String reason) {}

    /** Finds it out. */
    @FunctionalInterface
    interface Trial {

        Verdict judge() throws BackendException;
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
        volatile Verdict verdict;
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
        Verdict verdict() {
            return shared.verdict;
        }

        /**
         * Finds it out, unless another subtask has, or does so now, for which this one waits. If the
         * trial fails it is still to be found out.
         */
        Verdict verdict(Trial trial) throws BackendException {
            synchronized (shared) {
                if (shared.verdict == null) {
                    shared.verdict = trial.judge();
                }
                return shared.verdict;
            }
        }

        /** Whether none of the subtasks has announced this. */
        boolean isNews(String choice) {
            synchronized (shared.announced) {
                return shared.announced.add(choice);
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
