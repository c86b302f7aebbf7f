package io.flinkgpu;

import io.flinkgpu.api.Action;
import io.flinkgpu.api.BackendChoice;
import io.flinkgpu.api.BatchPolicy;
import io.flinkgpu.api.GpuOptions;
import io.flinkgpu.api.Rule;
import io.flinkgpu.api.RuleSet;
import io.flinkgpu.testkit.Clusters;

import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.connector.source.util.ratelimit.RateLimiterStrategy;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.ExternalizedCheckpointRetention;
import org.apache.flink.connector.datagen.source.DataGeneratorSource;
import org.apache.flink.connector.datagen.source.GeneratorFunction;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.flink.test.junit5.MiniClusterExtension;

import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Unaligned checkpoints of a job with back pressure have records in them, but none before its redaction.
 *
 * <p>Covers: RawRecords.
 */
@Timeout(120)
class RawRecordsITCase {

    @RegisterExtension static final MiniClusterExtension CLUSTER = Clusters.ofFourSlots();

    private static final RuleSet RULES =
            RuleSet.of(Rule.of("marker", "marker[0-9]+", Action.label("[REDACTED]")));
    private static final GpuOptions OPTIONS =
            GpuOptions.DEFAULT
                    .withBackend(BackendChoice.CPU)
                    .withBatchPolicy(new BatchPolicy(10, 65_536, Duration.ofMillis(5)));

    /** Enough to fill the buffers of a shuffle in no time. */
    private static final int RECORD_BYTES = 2_000;

    @TempDir Path directory;

    /**
     * @param shuffle the user's own; else Flink would add one, as the redaction has another parallelism
     */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void noCheckpointHasRawRecords(boolean shuffle) throws Exception {
        StreamExecutionEnvironment env =
                StreamExecutionEnvironment.getExecutionEnvironment(config()).setParallelism(2);
        GeneratorFunction<Long, String> generator =
                number -> "marker" + number + "-".repeat(RECORD_BYTES);
        DataStream<String> raw =
                env.fromSource(
                                new DataGeneratorSource<>(
                                        generator,
                                        Long.MAX_VALUE,
                                        RateLimiterStrategy.noOp(),
                                        Types.STRING),
                                WatermarkStrategy.noWatermarks(),
                                "records")
                        .setParallelism(1);
        GpuStreams.redact(
                        shuffle ? raw.keyBy(line -> line.length() % 7) : raw,
                        line -> line,
                        (line, text) -> text,
                        RULES,
                        OPTIONS)
                .rebalance()
                .map(RawRecordsITCase::slowly)
                .returns(Types.STRING)
                .sinkTo(new DiscardingSink<>());
        JobClient job = env.executeAsync();
        awaitCheckpoint(5);
        job.cancel().get();
        assertThat(files()).as("of the shuffle behind").anyMatch(has("[REDACTED]"));
        assertThat(files()).noneMatch(has("marker"));
    }

    private Configuration config() {
        Configuration config = new Configuration();
        config.set(CheckpointingOptions.CHECKPOINTING_INTERVAL, Duration.ofMillis(200));
        config.set(CheckpointingOptions.ENABLE_UNALIGNED, true);
        config.set(CheckpointingOptions.CHECKPOINTS_DIRECTORY, directory.toUri().toString());
        config.set(
                CheckpointingOptions.EXTERNALIZED_CHECKPOINT_RETENTION,
                ExternalizedCheckpointRetention.RETAIN_ON_CANCELLATION);
        return config;
    }

    private static String slowly(String line) throws InterruptedException {
        Thread.sleep(1);
        return line.substring(0, 20);
    }

    /** Waits until this checkpoint, or one after it, has its metadata: it is complete. */
    private void awaitCheckpoint(int number) throws InterruptedException {
        while (!isComplete(number)) {
            TimeUnit.MILLISECONDS.sleep(20);
        }
    }

    /** Flink removes checkpoints meanwhile, which a {@code File} is silent about. */
    private boolean isComplete(int number) {
        for (File job : children(directory.toFile())) {
            for (File checkpoint : children(job)) {
                String name = checkpoint.getName();
                if (name.startsWith("chk-")
                        && Integer.parseInt(name.substring("chk-".length())) >= number
                        && new File(checkpoint, "_metadata").exists()) {
                    return true;
                }
            }
        }
        return false;
    }

    private static File[] children(File folder) {
        return Objects.requireNonNullElse(folder.listFiles(), new File[0]);
    }

    private Stream<Path> files() throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            return files.filter(Files::isRegularFile).toList().stream();
        }
    }

    private static Predicate<Path> has(String text) {
        return file -> {
            try {
                return Files.readString(file, StandardCharsets.ISO_8859_1).contains(text);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        };
    }
}
