package io.flinkgpu.applications.kafka;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.time.Duration;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A fault at random each 30 s, for as many minutes as {@code soak.minutes} says; in the profile {@code soak}.
 *
 * <p>Covers: KafkaRedaction.
 */
@Tag("soak")
class SoakITCase {

    /** Its logs stay where the test fails. */
    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    private Path folder;

    @Test
    void nothingIsLostTwiceOrUnredacted() throws Exception {
        Duration duration = Duration.ofMinutes(Integer.getInteger("soak.minutes", 10));
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        FailureMatrix matrix = new FailureMatrix(folder, seed, System.out);
        assertThat(matrix.soak(duration, 200, Path.of("target"))).isTrue();
    }
}
