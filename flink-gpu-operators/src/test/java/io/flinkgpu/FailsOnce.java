package io.flinkgpu;

import org.apache.flink.api.common.functions.MapFunction;
import org.apache.flink.api.common.state.CheckpointListener;

import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Passes records on, slowly until one subtask of the process has failed: some records after a checkpoint
 * completed, or, where a slow machine completes none in time, at a given record.
 */
public final class FailsOnce<T> implements MapFunction<T, T>, CheckpointListener {

    /** Whether one has failed; a test sets it to false first. */
    public static final AtomicBoolean FAILED = new AtomicBoolean();

    private static final long serialVersionUID = 1L;

    private final int recordsAfterCheckpoint;
    private int recordsLeft;

    public FailsOnce(int recordsAfterCheckpoint, int latestRecord) {
        this.recordsAfterCheckpoint = recordsAfterCheckpoint;
        this.recordsLeft = latestRecord;
    }

    @Override
    public T map(T record) throws InterruptedException {
        if (!FAILED.get()) {
            Thread.sleep(1);
            if (recordsLeft-- == 0 && FAILED.compareAndSet(false, true)) {
                throw new IllegalStateException("fails once");
            }
        }
        return record;
    }

    @Override
    public void notifyCheckpointComplete(long checkpointId) {
        recordsLeft = Math.min(recordsLeft, recordsAfterCheckpoint);
    }
}
