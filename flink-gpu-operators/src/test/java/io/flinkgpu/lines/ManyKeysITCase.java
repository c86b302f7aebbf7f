package io.flinkgpu.lines;

import io.flinkgpu.GpuStreams;
import io.flinkgpu.api.Aggregates;
import io.flinkgpu.api.BatchPolicy;
import io.flinkgpu.api.WindowResult;
import io.flinkgpu.api.lines.Delimited;
import io.flinkgpu.source.LineFiles;
import io.flinkgpu.testkit.Clusters;

import org.apache.flink.configuration.Configuration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.windowing.assigners.GlobalWindows;
import org.apache.flink.streaming.api.windowing.assigners.TumblingEventTimeWindows;
import org.apache.flink.test.junit5.MiniClusterExtension;

import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

import static io.flinkgpu.lines.LineJobs.all;
import static io.flinkgpu.lines.LineJobs.environment;
import static io.flinkgpu.lines.LineJobs.options;
import static io.flinkgpu.lines.LineJobs.source;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Windows are those of a plain map, however often keys repeat: lines are grouped or not, by turns.
 *
 * <p>Covers: KeyedWindows.
 */
@Timeout(180)
class ManyKeysITCase {

    @RegisterExtension static final MiniClusterExtension CLUSTER = Clusters.ofFourSlots();

    private static final long SEED = Long.getLong("seed", System.nanoTime());

    /** Keys from which those of a stretch of the file are. */
    private static final int[] KEYS = {1 << 24, 100, 1 << 24, 30_000};

    private static final int LINES_A_STRETCH = 90_000;
    private static final long WINDOW_MILLIS = 60_000;

    @TempDir Path directory;

    @ParameterizedTest
    @CsvSource({"false, 4194304", "false, 300000", "true, 4194304"})
    void windowsAreThoseOfAMap(boolean hasTime, int batchBytes) throws Exception {
        Map<String, long[]> expected = new HashMap<>();
        Path file = directory.resolve("lines.csv");
        Files.writeString(file, lines(hasTime, expected), StandardCharsets.UTF_8);
        StreamExecutionEnvironment env = environment(2, new Configuration());
        var lines =
                GpuStreams.lines(
                                source(
                                        env,
                                        LineFiles.of(
                                                new org.apache.flink.core.fs.Path(file.toUri())),
                                        true),
                                hasTime
                                        ? Delimited.of(';')
                                                .string("key")
                                                .decimal("n", 1)
                                                .epochMillis("time")
                                        : Delimited.of(';').string("key").decimal("n", 1))
                        .withOptions(options(BatchPolicy.DEFAULT.withMaxBytes(batchBytes)));
        var windows =
                hasTime
                        ? lines.eventTime("time", Duration.ofDays(1))
                                .keyBy("key")
                                .window(
                                        TumblingEventTimeWindows.of(
                                                Duration.ofMillis(WINDOW_MILLIS)))
                        : lines.keyBy("key").window(GlobalWindows.createWithEndOfStreamTrigger());
        List<WindowResult<String>> results =
                all(
                        windows.aggregate(Aggregates.ofField("n").min().max().sum().count())
                                .executeAndCollect());
        Map<String, long[]> actual = new HashMap<>();
        for (WindowResult<String> result : results) {
            actual.put(
                    result.key() + "@" + (hasTime ? result.startMillis() : 0),
                    new long[] {
                        result.values().getDecimal(0).unscaledValue().longValue(),
                        result.values().getDecimal(1).unscaledValue().longValue(),
                        result.values().getDecimal(2).unscaledValue().longValue(),
                        result.values().getLong(3)
                    });
        }
        assertThat(results).as("seed=" + SEED).hasSameSizeAs(actual.keySet());
        assertThat(actual.keySet()).as("seed=" + SEED).isEqualTo(expected.keySet());
        expected.forEach(
                (window, values) ->
                        assertThat(actual.get(window))
                                .as("%s, seed=%d", window, SEED)
                                .isEqualTo(values));
    }

    /** Lines, of which the windows' least, greatest, sum and count are added to a map. */
    private static String lines(boolean hasTime, Map<String, long[]> expected) {
        Random random = new Random(SEED);
        StringBuilder text = new StringBuilder();
        for (int keys : KEYS) {
            for (int i = 0; i < LINES_A_STRETCH; i++) {
                int number = random.nextInt(keys);
                String key = (number % 20 == 0 ? "Größe " : "") + Integer.toString(number, 36);
                long tenths = random.nextInt(1999) - 999;
                long time = hasTime ? random.nextInt(3 * (int) WINDOW_MILLIS) : 0;
                text.append(key).append(';').append(tenths < 0 ? "-" : "");
                text.append(Math.abs(tenths) / 10).append('.').append(Math.abs(tenths) % 10);
                text.append(hasTime ? ";" + time : "").append('\n');
                expected.merge(
                        key + "@" + time / WINDOW_MILLIS * WINDOW_MILLIS,
                        new long[] {tenths, tenths, tenths, 1},
                        (a, b) ->
                                new long[] {
                                    Math.min(a[0], b[0]),
                                    Math.max(a[1], b[1]),
                                    a[2] + b[2],
                                    a[3] + b[3]
                                });
            }
        }
        return text.toString();
    }
}
