package io.flinkgpu.applications.kafka;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The three jobs, each once; what they cost is nothing to test.
 *
 * <p>Covers: KafkaComparison.
 */
@Timeout(600)
class KafkaComparisonITCase {

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @Test
    void theJobsTakeTurns() {
        assertThat(run("--records", "500", "--rounds", "1", "--parallelism", "1")).isZero();
        assertThat(text(out))
                .contains("500 records, ", "1 subtasks; median (least - most)")
                .containsPattern("round 1, one java.util.regex alternation: [\\d,]+ records/s")
                .containsPattern("\\| no redaction \\| [\\d,]+ \\(")
                .containsPattern("\\| redaction \\| [\\d,]+ \\(")
                .containsPattern("\\| one java.util.regex alternation \\| [\\d,]+ \\(");
    }

    @Test
    void callersMistakesAreNamed() {
        assertThat(run("--records", "0", "--bogus")).isEqualTo(2);
        assertThat(text(err).lines())
                .hasSize(2)
                .allMatch(line -> line.startsWith("kafka-comparison: "));
    }

    private int run(String... args) {
        return KafkaComparison.run(args, stream(out), stream(err));
    }

    private static PrintStream stream(ByteArrayOutputStream bytes) {
        return new PrintStream(bytes, true, StandardCharsets.UTF_8);
    }

    private static String text(ByteArrayOutputStream bytes) {
        return bytes.toString(StandardCharsets.UTF_8);
    }
}
