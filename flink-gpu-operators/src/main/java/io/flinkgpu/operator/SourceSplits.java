package io.flinkgpu.operator;

import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.streaming.runtime.tasks.SourceOperatorStreamTask;
import org.apache.flink.streaming.runtime.tasks.StreamTask;

import java.util.Optional;

/**
 * Flink 2.3 puts the trigger of an unaligned checkpoint in front of the other mails of a source's task. A
 * split that waits there is then neither in the coordinator's checkpoint nor in the reader's, and a
 * restore loses it. With a timeout for aligned checkpoints the trigger keeps its turn.
 */
public final class SourceSplits {

    private SourceSplits() {}

    /** Why splits can be lost in the task that an operator runs in, with the remedy; empty if none can. */
    public static Optional<String> danger(StreamTask<?, ?> task) {
        if (!(task instanceof SourceOperatorStreamTask)) {
            return Optional.empty();
        }
        Configuration job = task.getEnvironment().getJobConfiguration();
        boolean overtakes =
                job.get(CheckpointingOptions.ENABLE_UNALIGNED)
                        && job.get(CheckpointingOptions.ALIGNED_CHECKPOINT_TIMEOUT).isZero();
        return overtakes
                ? Optional.of(
                        "with unaligned checkpoints Flink 2.3 may lose files' splits after a failure:"
                                + " execution.checkpointing.aligned-checkpoint-timeout=0; set it to 1 ms"
                                + " or more")
                : Optional.empty();
    }

    /**
     * Refuses to run where lines would be lost.
     *
     * @throws IllegalStateException with the remedy
     */
    public static void requireSafe(StreamTask<?, ?> task) {
        danger(task)
                .ifPresent(
                        danger -> {
                            throw new IllegalStateException(danger);
                        });
    }
}
