package io.flinkgpu.windows;

import io.flinkgpu.GpuStreams;
import io.flinkgpu.api.Aggregates;
import io.flinkgpu.api.BackendChoice;
import io.flinkgpu.api.GpuOptions;
import io.flinkgpu.api.WindowResult;
import io.flinkgpu.testkit.Clusters;
import io.flinkgpu.testkit.Savepoints;

import org.apache.flink.api.common.functions.MapFunction;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.configuration.StateBackendOptions;
import org.apache.flink.configuration.StateRecoveryOptions;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.flink.test.junit5.MiniClusterExtension;

import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A savepoint of running aggregates of an earlier commit, which is a resource of this test, restores: the last
 * updates are those of all readings.
 *
 * <p>Covers: RunningGpuStream.
 */
@Timeout(120)
class SavepointOfRunningITCase {

    @RegisterExtension static final MiniClusterExtension CLUSTER = Clusters.ofFourSlots();

    private static final int READINGS = 3000;
    private static final int PER_SECOND = 800;
    private static final Map<String, Long> COUNTS = new ConcurrentHashMap<>();

    @TempDir Path folder;

    @ParameterizedTest
    @CsvSource({"7c61f22, hashmap, 1", "7c61f22, rocksdb, 4"})
    void goesOn(String commit, String backend, int parallelism) throws Exception {
        Path savepoint = Files.createDirectory(folder.resolve("savepoint"));
        String name = "/io/flinkgpu/windows/" + commit + "/RUNNING.savepoint";
        try (InputStream stream = SavepointOfRunningITCase.class.getResourceAsStream(name)) {
            Files.write(savepoint.resolve("_metadata"), stream.readAllBytes());
        }
        COUNTS.clear();
        start(parallelism, backend, Cluster.UNLIMITED, savepoint).getJobExecutionResult().get();
        assertThat(COUNTS).hasSize(KeyKind.SENSORS);
        assertThat(sum()).isEqualTo(READINGS);
    }

    /** Writes the resource into a folder. To be run at the commit that it is of. */
    public static void main(String[] args) throws Exception {
        Path target = Path.of(args[0]);
        JobClient job = start(2, "hashmap", PER_SECOND, null);
        while (sum() < READINGS / 3) {
            Thread.sleep(5);
        }
        Path savepoint = Savepoints.stop(job, target, SavepointFormatType.CANONICAL);
        Files.move(savepoint.resolve("_metadata"), target.resolve("RUNNING.savepoint"));
        Files.delete(savepoint);
    }

    private static long sum() {
        return COUNTS.values().stream().mapToLong(count -> count).sum();
    }

    private static JobClient start(int parallelism, String backend, int perSecond, Path savepoint)
            throws Exception {
        Configuration config = Cluster.config();
        config.set(StateBackendOptions.STATE_BACKEND, backend);
        config.set(PipelineOptions.AUTO_GENERATE_UIDS, false);
        config.set(CheckpointingOptions.FS_SMALL_FILE_THRESHOLD, MemorySize.ofMebiBytes(1));
        if (savepoint != null) {
            config.set(StateRecoveryOptions.SAVEPOINT_PATH, savepoint.toUri().toString());
        }
        StreamExecutionEnvironment env = Cluster.environment(config, parallelism);
        GpuStreams.on(Cluster.readings(env, READINGS, perSecond).setParallelism(1))
                .withOptions(GpuOptions.DEFAULT.withBackend(BackendChoice.CPU))
                .keyBy(reading -> reading.sensor)
                .every(Duration.ofMillis(20))
                .aggregate(
                        Aggregates.of((Reading reading) -> reading.id)
                                .count()
                                .mean()
                                .approxDistinct())
                .uid("running")
                .map(new Remembers())
                .uid("remembers")
                .sinkTo(new DiscardingSink<>())
                .uid("sink");
        return env.executeAsync();
    }

    /** Puts the last count of each key into a map of this process. */
    private static final class Remembers implements MapFunction<WindowResult<String>, Long> {

        private static final long serialVersionUID = 1L;

        @Override
        public Long map(WindowResult<String> result) {
            long count = result.values().getLong(0);
            COUNTS.put(result.key(), count);
            return count;
        }
    }
}
