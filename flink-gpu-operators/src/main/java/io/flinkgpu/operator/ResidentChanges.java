package io.flinkgpu.operator;

import io.flinkgpu.column.ColumnBatch;

import org.apache.flink.annotation.Internal;

import org.apache.arrow.memory.OutOfMemoryException;

/**
 * Changes of what is resident, gathered into batches, which are applied in turn. Task thread only.
 *
 * @param <C> a change
 */
@Internal
public final class ResidentChanges<C> implements AutoCloseable {

    private final BatchEngine<?, ?> engine;
    private final BatchInput<C> input;
    private Watcher watcher = Watcher.NONE;
    private long added;

    /** Sees batches of changes come and go; called by the task thread. */
    public interface Watcher {

        Watcher NONE =
                new Watcher() {
                    @Override
                    public void started() {}

                    @Override
                    public void applied() {}
                };

        /** The first change of a batch was added. */
        void started() throws Exception;

        /** The oldest batch that was not yet applied is. */
        void applied();
    }

    /**
     * @param input where changes go; this closes its builder
     */
    public ResidentChanges(BatchEngine<?, ?> engine, BatchInput<C> input) {
        this.engine = engine;
        this.input = input;
    }

    /** Has the next batches watched; there is no other. */
    public void watch(Watcher newWatcher) {
        watcher = newWatcher;
    }

    /** Adds a change; sends those that there are if no other has room. */
    public void add(C change) throws Exception {
        while (!tryAppend(change)) {
            send();
        }
        added++;
        if (input.builder().rows() == 1) {
            watcher.started();
        }
        if (input.builder().isFull()) {
            send();
        }
    }

    /** How many changes were ever added. */
    public long added() {
        return added;
    }

    /** Whether all that were added were sent. */
    public boolean isEmpty() {
        return input.builder().rows() == 0;
    }

    /**
     * Sends what there is, as soon as there is room. An open batch is sent as well: its rows must not see
     * less of the changes than were sent before the next ones.
     */
    public void send() throws Exception {
        if (engine.hasOpenBatch()) {
            engine.flush(FlushReason.CHANGE);
        } else {
            engine.send(this);
        }
    }

    /** What there is; the next batch of changes starts. */
    ColumnBatch take() {
        return input.builder().build();
    }

    /** What is to be done once what was {@link #take taken} last is applied. */
    Runnable onApplied() {
        return watcher::applied;
    }

    private boolean tryAppend(C change) throws Exception {
        try {
            return input.appender().test(change);
        } catch (OutOfMemoryException e) {
            if (!engine.hasBatchesInFlight() && !engine.hasOpenBatch()) {
                throw new IllegalStateException(
                        "no memory for a batch with this change: "
                                + e.getMessage()
                                + "; raise memoryLimitBytes or lower the batch policy's maxBytes",
                        e);
            }
            engine.flush(FlushReason.BYTES);
            engine.awaitBatchesInFlight();
            return tryAppend(change);
        }
    }

    /** Gives back the memory of changes that were not sent. */
    @Override
    public void close() {
        input.builder().close();
    }
}
