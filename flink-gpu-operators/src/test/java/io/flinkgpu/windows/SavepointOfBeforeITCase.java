package io.flinkgpu.windows;

import io.flinkgpu.api.BatchPolicy;
import io.flinkgpu.testkit.Clusters;
import io.flinkgpu.testkit.Savepoints;

import org.apache.flink.api.common.functions.MapFunction;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.configuration.StateBackendOptions;
import org.apache.flink.configuration.StateRecoveryOptions;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.streaming.api.datastream.DataStream;
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
import java.security.MessageDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Savepoints of earlier commits, which are resources of this test, restore: a job goes on in the middle of
 * its windows, on another state backend if the format is that of all of them, and with another parallelism,
 * and its rows with those of before are the rows of a job that was never stopped.
 *
 * <p>Covers: WindowSnapshots.
 */
@Timeout(120)
class SavepointOfBeforeITCase {

    @RegisterExtension static final MiniClusterExtension CLUSTER = Clusters.ofFourSlots();

    private static final int READINGS = 3000;
    private static final int PER_SECOND = 800;
    private static final AtomicInteger SEEN = new AtomicInteger();
    private static final Queue<String> ROWS = new ConcurrentLinkedQueue<>();

    @TempDir Path folder;

    @ParameterizedTest
    @CsvSource({
        "585684f, TUMBLING, hashmap, 1",
        "585684f, TUMBLING, rocksdb, 4",
        "585684f, SLIDING, hashmap, 2",
        "585684f, SLIDING_UNEVEN, hashmap, 3",
        "585684f, SESSION, hashmap, 4",
        "585684f, SESSION, rocksdb, 1",
        "585684f, GLOBAL, rocksdb, 2",
        "7c61f22, TUMBLING, rocksdb, 1",
        "7c61f22, SLIDING, hashmap, 4",
        "7c61f22, SLIDING_UNEVEN, rocksdb, 3",
        "7c61f22, SESSION, hashmap, 1",
        "7c61f22, SESSION, rocksdb, 3",
        "7c61f22, GLOBAL, hashmap, 4",
        "7c61f22-rocksdb, TUMBLING, rocksdb, 3",
        "7c61f22-rocksdb, SLIDING_UNEVEN, rocksdb, 1",
        "7c61f22-rocksdb, SESSION, rocksdb, 4"
    })
    void goesOn(String commit, Shape.Kind kind, String backend, int parallelism) throws Exception {
        Path savepoint = Files.createDirectory(folder.resolve("savepoint"));
        Files.write(savepoint.resolve("_metadata"), resource(commit, kind, "savepoint"));
        ROWS.clear();
        start(commit, kind, parallelism, backend, Cluster.UNLIMITED, savepoint)
                .getJobExecutionResult()
                .get();
        assertThat(ROWS).isNotEmpty();
        Plan<String> plan = plan(commit, kind);
        StreamExecutionEnvironment env = Cluster.environment(Cluster.config(), 1);
        List<String> before =
                Cluster.collect(
                        plan,
                        plan.build(
                                Cluster.readings(env, READINGS, Cluster.UNLIMITED),
                                Plan.Engine.JUDGE));
        for (String row : ROWS) {
            int place = Collections.binarySearch(before, row);
            assertThat(place)
                    .as("place of %s among those of a job never stopped", row)
                    .isNotNegative();
            before.remove(place);
        }
        assertThat(digest(before)).isEqualTo(new String(resource(commit, kind, "rows"), US_ASCII));
    }

    /**
     * Writes the resources into a folder, which is there and is named as the commit, on the state backend that
     * is the second argument. To be run at the commit that they are of. On rocksdb they are in its own format.
     */
    public static void main(String[] args) throws Exception {
        Path target = Path.of(args[0]);
        String commit = target.getFileName().toString();
        String backend = args[1];
        SavepointFormatType format =
                backend.equals("rocksdb")
                        ? SavepointFormatType.NATIVE
                        : SavepointFormatType.CANONICAL;
        for (Shape.Kind kind :
                List.of(
                        Shape.Kind.TUMBLING,
                        Shape.Kind.SLIDING,
                        Shape.Kind.SLIDING_UNEVEN,
                        Shape.Kind.SESSION,
                        Shape.Kind.GLOBAL)) {
            ROWS.clear();
            SEEN.set(0);
            Path savepoint =
                    stop(start(commit, kind, 2, backend, PER_SECOND, null), target, format);
            assertThat(SEEN.get()).as("readings of " + READINGS).isLessThan(READINGS);
            // All state is in this one file, which is small.
            Files.move(savepoint.resolve("_metadata"), target.resolve(kind + ".savepoint"));
            Files.delete(savepoint);
            Files.writeString(target.resolve(kind + ".rows"), digest(ROWS));
        }
    }

    /** Stops a job when it has taken a third of the readings. */
    private static Path stop(JobClient job, Path folder, SavepointFormatType format)
            throws Exception {
        while (SEEN.get() < READINGS / 3) {
            Thread.sleep(5);
        }
        return Savepoints.stop(job, folder, format);
    }

    /** How many rows there are, and what they are in order. */
    private static String digest(Collection<String> rows) throws Exception {
        List<String> sorted = new ArrayList<>(rows);
        Collections.sort(sorted);
        byte[] text = String.join("\n", sorted).getBytes(UTF_8);
        byte[] digest = MessageDigest.getInstance("SHA-256").digest(text);
        return rows.size() + " " + HexFormat.of().formatHex(digest);
    }

    private static byte[] resource(String commit, Shape.Kind kind, String suffix) throws Exception {
        String name = "/io/flinkgpu/windows/" + commit + "/" + kind + "." + suffix;
        try (InputStream stream = SavepointOfBeforeITCase.class.getResourceAsStream(name)) {
            return stream.readAllBytes();
        }
    }

    private static JobClient start(
            String commit,
            Shape.Kind kind,
            int parallelism,
            String backend,
            int perSecond,
            Path savepoint)
            throws Exception {
        Configuration config = Cluster.config();
        config.set(StateBackendOptions.STATE_BACKEND, backend);
        config.set(PipelineOptions.AUTO_GENERATE_UIDS, false);
        config.set(CheckpointingOptions.FS_SMALL_FILE_THRESHOLD, MemorySize.ofMebiBytes(1));
        if (savepoint != null) {
            config.set(StateRecoveryOptions.SAVEPOINT_PATH, savepoint.toUri().toString());
        }
        StreamExecutionEnvironment env = Cluster.environment(config, parallelism);
        DataStream<Reading> readings =
                Cluster.readings(env, READINGS, perSecond)
                        .setParallelism(1)
                        .map(new Counts())
                        .returns(Types.POJO(Reading.class))
                        .uid("counts");
        Plan<String> plan = plan(commit, kind);
        remember(plan, plan.build(readings, Plan.Engine.OURS).uid("windows"));
        return env.executeAsync();
    }

    private static <T> void remember(Plan<?> plan, DataStream<T> results) {
        results.map(new Remembers<T>(plan))
                .returns(Types.STRING)
                .uid("remembers")
                .sinkTo(new DiscardingSink<>())
                .uid("sink");
    }

    private static Plan<String> plan(String commit, Shape.Kind kind) {
        Column[] columns = {Column.REAL_OR_NULL, Column.BIG, Column.PRICE};
        return new Plan<>(
                KeyKind.STRING,
                Shape.random(kind, new Random(kind.ordinal() + 10)),
                commit.equals("585684f") ? Query.ofBefore(columns) : Query.ofCells(columns),
                20,
                true,
                true,
                new BatchPolicy(300, 1 << 20, Duration.ofMillis(10)),
                false,
                false);
    }

    /** Puts rows into a list of this process. No failure makes it see one twice. */
    private record Remembers<T>(Plan<?> plan) implements MapFunction<T, String> {

        @Override
        public String map(T result) {
            String row = plan.row(result);
            ROWS.add(row);
            return row;
        }
    }

    private static final class Counts implements MapFunction<Reading, Reading> {

        private static final long serialVersionUID = 1L;

        @Override
        public Reading map(Reading reading) {
            SEEN.incrementAndGet();
            return reading;
        }
    }
}
