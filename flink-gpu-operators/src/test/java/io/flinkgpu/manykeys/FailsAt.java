package io.flinkgpu.manykeys;

import org.apache.flink.api.common.functions.MapFunction;
import org.apache.flink.api.common.state.CheckpointListener;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/** Fails once, at a row or as soon after it as a checkpoint has completed. */
final class FailsAt implements MapFunction<Long, Long>, CheckpointListener {

    /** Whether one has failed, or never is to; a test sets it first. */
    static final AtomicBoolean FAILED = new AtomicBoolean();

    private static final long serialVersionUID = 1L;

    private static final long WAIT_NANOS = 100_000;

    private final long row;
    private boolean hasCheckpoint;

    FailsAt(long row) {
        this.row = row;
    }

    @Override
    public Long map(Long number) {
        if (number >= row && !FAILED.get()) {
            if (hasCheckpoint && FAILED.compareAndSet(false, true)) {
                throw new IllegalStateException("fails once");
            }
            LockSupport.parkNanos(WAIT_NANOS);
        }
        return number;
    }

    @Override
    public void notifyCheckpointComplete(long checkpointId) {
        hasCheckpoint = true;
    }
}
