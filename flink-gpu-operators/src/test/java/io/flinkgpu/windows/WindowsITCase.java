package io.flinkgpu.windows;

import io.flinkgpu.FailsOnce;
import io.flinkgpu.api.Aggregate;
import io.flinkgpu.api.BatchPolicy;
import io.flinkgpu.api.CellAggregate.Kind;
import io.flinkgpu.testkit.Clusters;

import org.apache.flink.api.common.RuntimeExecutionMode;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.test.junit5.MiniClusterExtension;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.util.List;
import java.util.Random;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Jobs on a cluster in this process against the same jobs of Flink's own operator.
 *
 * <p>Covers: WindowedGpuStream.
 */
@Timeout(120)
class WindowsITCase {

    @RegisterExtension static final MiniClusterExtension CLUSTER = Clusters.ofFourSlots();

    private static final int READINGS = 2500;

    @BeforeEach
    void willFail() {
        FailsOnce.FAILED.set(false);
    }

    @ParameterizedTest
    @CsvSource({
        "TUMBLING, hashmap, false, false",
        "TUMBLING, rocksdb, true, true",
        "SLIDING, hashmap, true, false",
        "SLIDING, rocksdb, false, true",
        "SLIDING_UNEVEN, hashmap, false, true",
        "SLIDING_GAPS, hashmap, true, true",
        "SESSION, hashmap, true, true",
        "SESSION, rocksdb, false, false",
        "SESSION, rocksdb, true, true",
        "GLOBAL, hashmap, true, false"
    })
    void afterAFailureTheSameResults(
            Shape.Kind kind, String backend, boolean unaligned, boolean objectReuse)
            throws Exception {
        sameAfterAFailure(
                plan(KeyKind.STRING, kind, true),
                Cluster.checkpointed(backend, unaligned, objectReuse));
    }

    @ParameterizedTest
    @CsvSource({"SLIDING, rocksdb", "SESSION, hashmap", "GLOBAL, rocksdb"})
    void cellsSurviveAFailure(Shape.Kind kind, String backend) throws Exception {
        Query query =
                new Query(
                        List.of(new Query.Part(Column.REAL, List.of(Aggregate.MEAN))),
                        List.of(
                                new CellPart(Kind.ARG_MAX, Column.REAL_OR_NULL, null, 0),
                                new CellPart(Kind.TOP, null, Column.PRICE, 3)));
        sameAfterAFailure(
                plan(KeyKind.STRING, kind, query, true), Cluster.checkpointed(backend, true, true));
    }

    private static void sameAfterAFailure(Plan<?> plan, Configuration config) throws Exception {
        StreamExecutionEnvironment env = Cluster.environment(config, 2);
        DataStream<Reading> readings =
                Cluster.readings(env, READINGS, Cluster.UNLIMITED)
                        .map(new FailsOnce<>(200, Integer.MAX_VALUE))
                        .returns(Types.POJO(Reading.class));
        List<String> rows = Cluster.collect(plan, plan.build(readings, Plan.Engine.OURS));
        assertThat(FailsOnce.FAILED).isTrue();
        assertThat(rows).isEqualTo(judged(plan, READINGS));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4})
    void sumsOfDoublesAtEveryParallelism(int parallelism) throws Exception {
        Plan<?> plan = plan(KeyKind.STRING, Shape.Kind.GLOBAL, true);
        StreamExecutionEnvironment env = Cluster.environment(Cluster.config(), parallelism);
        DataStream<Reading> readings = Cluster.readings(env, 20_000, Cluster.UNLIMITED).rebalance();
        assertThat(Cluster.collect(plan, plan.build(readings, Plan.Engine.OURS)))
                .isEqualTo(judged(plan, 20_000));
    }

    @ParameterizedTest
    @EnumSource(
            value = Shape.Kind.class,
            names = {"TUMBLING", "SLIDING", "SLIDING_UNEVEN", "SLIDING_GAPS", "SESSION", "GLOBAL"})
    void batchModeGivesTheSameResults(Shape.Kind kind) throws Exception {
        for (boolean local : new boolean[] {true, false}) {
            Plan<?> plan = plan(KeyKind.STRING, kind, local);
            Configuration config = Cluster.config();
            config.set(PipelineOptions.OBJECT_REUSE, local);
            StreamExecutionEnvironment env = Cluster.environment(config, 2);
            env.setRuntimeMode(RuntimeExecutionMode.BATCH);
            DataStream<Reading> readings = Cluster.readings(env, READINGS, Cluster.UNLIMITED);
            assertThat(Cluster.collect(plan, plan.build(readings, Plan.Engine.OURS)))
                    .isEqualTo(judged(plan, READINGS));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6})
    void everyKindOfKey(int kind) throws Exception {
        Plan<?> plan = plan(KeyKind.ALL.get(kind), Shape.Kind.SLIDING, true);
        Configuration config = Cluster.config();
        config.set(PipelineOptions.OBJECT_REUSE, true);
        StreamExecutionEnvironment env = Cluster.environment(config, 2);
        DataStream<Reading> readings = Cluster.readings(env, READINGS, Cluster.UNLIMITED);
        assertThat(Cluster.collect(plan, plan.build(readings, Plan.Engine.OURS)))
                .isEqualTo(judged(plan, READINGS));
    }

    private static List<String> judged(Plan<?> plan, int count) throws Exception {
        StreamExecutionEnvironment env = Cluster.environment(Cluster.config(), 1);
        DataStream<Reading> readings = Cluster.readings(env, count, Cluster.UNLIMITED);
        List<String> rows = Cluster.collect(plan, plan.build(readings, Plan.Engine.JUDGE));
        assertThat(rows).hasSizeGreaterThanOrEqualTo(KeyKind.SENSORS);
        return rows;
    }

    private static <K> Plan<K> plan(KeyKind<K> key, Shape.Kind kind, boolean local) {
        return plan(key, kind, Query.all(Column.REAL_OR_NULL, Column.BIG, Column.PRICE), local);
    }

    private static <K> Plan<K> plan(KeyKind<K> key, Shape.Kind kind, Query query, boolean local) {
        return new Plan<>(
                key,
                Shape.random(kind, new Random(kind.ordinal() + 10)),
                query,
                -1,
                false,
                local,
                new BatchPolicy(300, 1 << 20, Duration.ofMillis(10)),
                false,
                false);
    }
}
