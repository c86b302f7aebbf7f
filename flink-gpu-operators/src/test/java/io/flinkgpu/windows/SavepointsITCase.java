package io.flinkgpu.windows;

import io.flinkgpu.api.BatchPolicy;
import io.flinkgpu.testkit.Clusters;
import io.flinkgpu.testkit.Savepoints;

import org.apache.flink.api.common.functions.MapFunction;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.configuration.Configuration;
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

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Jobs that are stopped with a savepoint and go on as another engine, with another parallelism.
 *
 * <p>Covers: WindowSnapshots.
 */
@Timeout(120)
class SavepointsITCase {

    @RegisterExtension static final MiniClusterExtension CLUSTER = Clusters.ofFourSlots();

    private static final int READINGS = 6000;
    private static final int PER_SECOND = 1000;
    private static final AtomicInteger SEEN = new AtomicInteger();
    private static final Queue<String> ROWS = new ConcurrentLinkedQueue<>();

    @TempDir Path savepoints;

    private String savepoint;

    @ParameterizedTest
    @CsvSource({
        "TUMBLING, hashmap, FLINK_EXACT, OURS, OURS_FLINK_STATE",
        "TUMBLING, rocksdb, OURS, OURS_FLINK_STATE, FLINK_EXACT",
        "SLIDING, hashmap, OURS_FLINK_STATE, FLINK_EXACT, OURS",
        "SLIDING, rocksdb, OURS, OURS_FLINK_STATE, OURS",
        "SESSION, hashmap, FLINK_EXACT, OURS, OURS_FLINK_STATE",
        "SESSION, rocksdb, OURS, OURS_FLINK_STATE, FLINK_EXACT",
        "SESSION, rocksdb, OURS, OURS, OURS",
        "SLIDING_UNEVEN, rocksdb, OURS, OURS, OURS",
        "GLOBAL, hashmap, OURS, OURS, OURS"
    })
    void goesOnFromASavepoint(
            Shape.Kind kind,
            String backend,
            Plan.Engine first,
            Plan.Engine second,
            Plan.Engine third)
            throws Exception {
        Plan<String> plan = plan(kind);
        ROWS.clear();
        SEEN.set(0);
        stop(start(plan, first, 1, backend, PER_SECOND));
        stop(start(plan, second, 4, backend, PER_SECOND));
        start(plan, third, 2, backend, Cluster.UNLIMITED).getJobExecutionResult().get();

        List<String> rows = new ArrayList<>(ROWS);
        Collections.sort(rows);
        StreamExecutionEnvironment env = Cluster.environment(Cluster.config(), 1);
        assertThat(rows)
                .isEqualTo(
                        Cluster.collect(
                                plan,
                                plan.build(
                                        Cluster.readings(env, READINGS, Cluster.UNLIMITED),
                                        Plan.Engine.JUDGE)));
    }

    private JobClient start(
            Plan<?> plan, Plan.Engine engine, int parallelism, String backend, int perSecond)
            throws Exception {
        Configuration config = Cluster.config();
        config.set(StateBackendOptions.STATE_BACKEND, backend);
        config.set(PipelineOptions.AUTO_GENERATE_UIDS, false);
        if (savepoint != null) {
            config.set(StateRecoveryOptions.SAVEPOINT_PATH, savepoint);
        }
        StreamExecutionEnvironment env = Cluster.environment(config, parallelism);
        DataStream<Reading> readings =
                // Flink refuses a new operator in a chain of which some subtasks have finished.
                Cluster.readings(env, READINGS, perSecond)
                        .setParallelism(1)
                        .map(new Counts())
                        .returns(Types.POJO(Reading.class))
                        .uid("counts");
        remember(plan, plan.build(readings, engine).uid("windows"));
        return env.executeAsync();
    }

    private static <T> void remember(Plan<?> plan, DataStream<T> results) {
        results.map(new Remembers<T>(plan))
                .returns(Types.STRING)
                .uid("remembers")
                .sinkTo(new DiscardingSink<>())
                .uid("sink");
    }

    /** Stops a job when it has taken some more readings, long before it has taken all. */
    private void stop(JobClient job) throws Exception {
        int before = SEEN.get();
        while (SEEN.get() < before + 500) {
            Thread.sleep(5);
        }
        savepoint =
                Savepoints.stop(job, savepoints, SavepointFormatType.CANONICAL).toUri().toString();
        assertThat(SEEN.get()).as("readings of " + READINGS).isLessThan(READINGS);
    }

    private static Plan<String> plan(Shape.Kind kind) {
        return new Plan<>(
                KeyKind.STRING,
                Shape.random(kind, new Random(kind.ordinal() + 10)),
                Query.all(Column.REAL_OR_NULL, Column.BIG, Column.PRICE),
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
