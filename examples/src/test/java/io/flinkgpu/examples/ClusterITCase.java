package io.flinkgpu.examples;

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
        Path rules = Files.writeString(folder.resolve("rules.tsv"), Expected.RULES_TSV);
        StringBuilder log = new StringBuilder();
        for (int i = 0; i < 200_000; i++) {
            log.append("line ").append(i).append(i % 3 == 0 ? " secret=abc" : "").append(" ü\r\n");
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
                    .doesNotContain("secret=abc");

            assertThat(flink.submit(options)).isEqualTo(2);
            assertThat(flink.log("submit").lines())
                    .containsExactly(
                            "log-redaction: output directory '"
                                    + out
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
