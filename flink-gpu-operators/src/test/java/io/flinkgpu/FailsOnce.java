package io.flinkgpu;

import org.apache.flink.api.common.functions.MapFunction;
import org.apache.flink.api.common.state.CheckpointListener;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.RestartStrategyOptions;

import java.time.Duration;
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

    /** A job that takes checkpoints, and starts again once. */
    public static Configuration restarting(Duration checkpointInterval, boolean unaligned) {
        Configuration config = new Configuration();
        config.set(CheckpointingOptions.CHECKPOINTING_INTERVAL, checkpointInterval);
        config.set(CheckpointingOptions.ENABLE_UNALIGNED, unaligned);
        config.set(RestartStrategyOptions.RESTART_STRATEGY, "fixed-delay");
        config.set(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_ATTEMPTS, 1);
        config.set(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_DELAY, Duration.ofMillis(1));
        return config;
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
