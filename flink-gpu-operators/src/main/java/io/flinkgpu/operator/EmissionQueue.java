package io.flinkgpu.operator;

import java.util.ArrayDeque;
import java.util.List;

/**
 * The batches on their way, oldest first, and their emission in this order. A batch that failed, and
 * all that came behind it, is never emitted. Task thread only.
 */
final class EmissionQueue<IN, R extends AutoCloseable> {

    private final BatchEmitter<IN, R> emitter;
    private final ArrayDeque<PendingBatch<IN, R>> batches = new ArrayDeque<>();
    private Throwable failure;

    EmissionQueue(BatchEmitter<IN, R> emitter) {
        this.emitter = emitter;
    }

    boolean isEmpty() {
        return batches.isEmpty();
    }

    int size() {
        return batches.size();
    }

    void add(PendingBatch<IN, R> batch) {
        batches.add(batch);
    }

    PendingBatch<IN, R> last() {
        return batches.getLast();
    }

    /** Emits all that is there of the oldest batches. */
    void emitFinished() throws Exception {
        throwIfFailed();
        while (!batches.isEmpty()) {
            PendingBatch<IN, R> oldest = batches.peek();
            try {
                if (!oldest.emit(emitter)) {
                    return;
                }
            } catch (Throwable t) {
                failure = t;
                throw t;
            }
            failure = oldest.failure();
            throwIfFailed();
            batches.remove();
        }
    }

    void throwIfFailed() {
        if (failure != null) {
            throw new IllegalStateException(
                    "a batch failed and was not emitted, nor is any behind it: "
                            + failure.getMessage(),
                    failure);
        }
    }

    /** Gives up on all of them. */
    List<AutoCloseable> abandonAll() {
        List<AutoCloseable> all =
                batches.stream().<AutoCloseable>map(batch -> batch::abandon).toList();
        batches.clear();
        return all;
    }
}
