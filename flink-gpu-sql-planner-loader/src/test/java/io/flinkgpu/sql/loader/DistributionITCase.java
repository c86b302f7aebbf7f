package io.flinkgpu.sql.loader;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Flink as its distribution has it: a folder {@code lib} of jars with the loader in the place of that of Flink's
 * planner, a JobManager and a TaskManager as processes of their own, and a script that SQL Client runs on them.
 *
 * <p>Covers: LoadedPlannerFactory, PlannerClassLoader, Distribution.
 */
class DistributionITCase {

    private static final String SCRIPT =
            """
            SET 'sql-client.execution.result-mode' = 'tableau';
            SET 'sql-client.display.max-column-width' = '60';
            SET 'table.optimizer.agg-phase-strategy' = 'TWO_PHASE';
            LOAD MODULE gpu;
            CREATE TABLE logs (k STRING, x BIGINT, line STRING, ts TIMESTAMP(3), WATERMARK FOR ts AS ts)
              WITH ('connector' = 'gpu-lines', 'path' = '%s', 'separator' = ';');
            EXPLAIN SELECT REDACT(line) AS line FROM logs;
            EXPLAIN SELECT k, SUM(x) AS s FROM TABLE(TUMBLE(TABLE logs, DESCRIPTOR(ts), INTERVAL '1' MINUTE))
              GROUP BY k, window_start, window_end;
            SELECT x, REDACT(line) AS line FROM logs WHERE x > 4;
            SELECT k, SUM(x) AS s, COUNT(*) AS n
              FROM TABLE(TUMBLE(TABLE logs, DESCRIPTOR(ts), INTERVAL '1' MINUTE))
              GROUP BY k, window_start, window_end;
            """;

    @TempDir Path folder;

    @Test
    void aScriptOfSqlClientRunsOnBatches() throws Exception {
        Path lines =
                Files.write(
                        folder.resolve("lines"),
                        List.of(
                                "a;4;none;2026-05-01 00:00:01.000",
                                "b;5;mail jo@example.org now;2026-05-01 00:00:02.000",
                                "a;6;from 10.1.2.3;2026-05-01 00:00:59.000"));
        Path script = Files.writeString(folder.resolve("script.sql"), SCRIPT.formatted(lines));
        try (Distribution flink = new Distribution(folder)) {
            String printed = flink.sqlClient(script);
            assertThat(printed)
                    .contains(
                            "GpuCalc(",
                            "Calc: on batches: line",
                            "TableSourceScan: on batches: lines, groups; fused into",
                            "mail [EMAIL] now",
                            "from [IP]")
                    .containsPattern(row("a", "10", "2"))
                    .containsPattern(row("b", "5", "1"))
                    .doesNotContain("jo@example.org", "[ERROR]");
            assertThat(flink.log("taskmanager")).contains("gpu-lines").doesNotContain("calcite");
        }
    }

    private static Pattern row(String... columns) {
        return Pattern.compile("\\| +\\+I +\\| +" + String.join(" +\\| +", columns) + " +\\|");
    }
}
