package io.flinkgpu.applications.kafka;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A killed process and another parallelism; {@link FailureMatrix} does all the rest, and for longer.
 *
 * <p>Covers: KafkaRedaction.
 */
@Timeout(600)
class FailureITCase {

    /** Its logs stay where the test fails. */
    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    private Path folder;

    @Test
    void aKilledTaskManagerAndASavepointLoseAndRepeatNothing() throws Exception {
        FailureMatrix matrix = new FailureMatrix(folder, System.nanoTime(), System.out);
        assertThat(matrix.run(List.of(Fault.TASK_MANAGER_KILLED, Fault.SCALED_UP), 200)).isTrue();
    }
}
