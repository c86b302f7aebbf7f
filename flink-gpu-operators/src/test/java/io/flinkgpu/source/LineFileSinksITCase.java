package io.flinkgpu.source;

import io.flinkgpu.FailsOnce;
import io.flinkgpu.api.LineChunk;
import io.flinkgpu.testkit.Clusters;

import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.connector.file.sink.FileSink;
import org.apache.flink.core.fs.Path;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.test.junit5.MiniClusterExtension;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Chunks in files: every byte once and in order, however files are rolled and whatever fails.
 *
 * <p>Covers: LineFileSinks.
 */
@Timeout(120)
class LineFileSinksITCase {

    @RegisterExtension static final MiniClusterExtension CLUSTER = Clusters.ofFourSlots();

    private static final int LINES = 20_000;
    private static final int CHUNK_BYTES = 500;
    private static final int ROLL_BYTES = 30_000;

    @TempDir private java.nio.file.Path directory;
    private String text;

    @BeforeEach
    void writeInput() throws IOException {
        FailsOnce.FAILED.set(false);
        StringBuilder lines = new StringBuilder();
        for (int i = 0; i < LINES; i++) {
            lines.append(String.format("line %06d%n", i));
        }
        text = lines.substring(0, lines.length() - 1);
        Files.writeString(directory.resolve("in"), text);
    }

    @Test
    void rollsBySize() throws Exception {
        run(new Configuration(), LineFileSinks.rollingBySize(output(), ROLL_BYTES));
        List<String> parts = parts();
        assertThat(String.join("", parts)).isEqualTo(text);
        assertThat(parts).hasSizeGreaterThan(5);
        assertThat(parts.subList(0, parts.size() - 1))
                .allMatch(
                        part ->
                                part.length() >= ROLL_BYTES
                                        && part.length() < ROLL_BYTES + CHUNK_BYTES);
    }

    @Test
    void rollsBySizeAcrossAFailure() throws Exception {
        run(LineFilesITCase.failing(false), LineFileSinks.rollingBySize(output(), ROLL_BYTES));
        assertThat(FailsOnce.FAILED).isTrue();
        assertThat(String.join("", parts())).isEqualTo(text);
    }

    @Test
    void rollsAtCheckpointsAcrossAFailure() throws Exception {
        run(
                LineFilesITCase.failing(false),
                LineFileSinks.rollingAtCheckpoints(output(), Long.MAX_VALUE));
        assertThat(FailsOnce.FAILED).isTrue();
        assertThat(parts()).hasSizeGreaterThan(1);
        assertThat(String.join("", parts())).isEqualTo(text);
    }

    @Test
    void refusesFilesWithoutAByte() {
        assertThatThrownBy(() -> LineFileSinks.rollingBySize(output(), 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a file has at least a byte: rollBytes=0");
    }

    private void run(Configuration config, FileSink<LineChunk> sink) throws Exception {
        StreamExecutionEnvironment env = LineFilesITCase.environment(config, 1);
        LineFiles lines =
                LineFiles.of(new Path(directory.resolve("in").toUri()))
                        .chunkBytes(CHUNK_BYTES)
                        .splitBytes(10_000);
        env.fromSource(lines.chunks(), WatermarkStrategy.noWatermarks(), "chunks")
                .map(new FailsOnce<>(50, Integer.MAX_VALUE))
                .returns(LineChunk.class)
                .sinkTo(sink);
        env.execute();
    }

    private Path output() {
        return new Path(directory.resolve("out").toUri());
    }

    /** What the files have: those of an id by number, the ids by what comes first. */
    private List<String> parts() throws IOException {
        Map<String, TreeMap<Integer, String>> byId = new TreeMap<>();
        try (Stream<java.nio.file.Path> files = Files.list(directory.resolve("out"))) {
            for (java.nio.file.Path file : files.toList()) {
                String name = file.getFileName().toString();
                if (!name.startsWith(".")) {
                    int dash = name.lastIndexOf('-');
                    byId.computeIfAbsent(name.substring(0, dash), id -> new TreeMap<>())
                            .put(
                                    Integer.parseInt(name.substring(dash + 1)),
                                    Files.readString(file));
                }
            }
        }
        return byId.values().stream()
                .sorted(Comparator.comparing(parts -> parts.firstEntry().getValue()))
                .flatMap(parts -> parts.values().stream())
                .toList();
    }
}
