package io.flinkgpu.applications;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;

/** Configuration and submit script of the Docker image, on a JobManager and a TaskManager. */
class ClusterITCase {

    @TempDir private Path folder;

    @Test
    void jobRunsOnAClusterOfProcesses() throws Exception {
        Path in = Files.createDirectory(folder.resolve("in"));
        Path out = folder.resolve("out/redacted");
        Path stats = folder.resolve("out/statistics");
        Path rules = Files.writeString(folder.resolve("rules.tsv"), Expected.RULES_TSV);
        StringBuilder log = new StringBuilder();
        for (int i = 0; i < 200_000; i++) {
            log.append("2026-03-02 08:00:0").append(i % 10).append(" took ").append(i % 7);
            log.append(" ms").append(i % 3 == 0 ? " secret=abc" : "").append(" ü\r\n");
        }
        log.append("secret=last, no newline");
        byte[] input = log.toString().getBytes(StandardCharsets.UTF_8);
        Files.write(in.resolve("app.log"), input);
        try (FlinkProcesses flink =
                new FlinkProcesses(Files.createDirectory(folder.resolve("flink")))) {
            flink.start();
            String[] options = {
                "--input", in.toString(),
                "--output", out.toString(),
                "--stats", stats.toString(),
                "--rules", rules.toString(),
                "--backend", "cpu",
                "--parallelism", "1"
            };
            int code = flink.submit(options);
            assertThat(code)
                    .as(
                            "%s%n%s%n%s",
                            flink.log("submit"), flink.log("taskmanager"), flink.log("jobmanager"))
                    .isZero();
            assertThat(parts(out)).hasSize(1);
            assertThat(Files.readAllBytes(parts(out).get(0))).isEqualTo(Expected.redact(input));
            assertThat(flink.log("submit"))
                    .containsPattern("secret +66,668")
                    .contains("200,001 rows")
                    .contains("of 200,000 lines; left out: 1 without a time, 0 without a latency")
                    .doesNotContain("secret=abc");
            assertThat(parts(stats)).hasSize(1);
            assertThat(parts(stats).get(0))
                    .hasContent(
                            "app\t2026-03-02T08:00:00Z\t2026-03-02T08:00:10Z\t200000\t0\t2.99997\t6");

            assertThat(flink.submit(options)).isEqualTo(2);
            assertThat(flink.log("submit").lines())
                    .containsExactly(
                            "log-redaction: output directory '"
                                    + out
                                    + "' is not empty: name a new or empty one",
                            "log-redaction: stats directory '"
                                    + stats
                                    + "' is not empty: name a new or empty one");
            assertThat(parts(out)).hasSize(1);
        }
    }

    private static List<Path> parts(Path out) throws IOException {
        try (Stream<Path> files = Files.list(out)) {
            return files.toList();
        }
    }
}
