package io.flinkgpu.windows;

import io.flinkgpu.api.BatchPolicy;
import io.flinkgpu.testkit.Clusters;

import org.apache.flink.api.common.functions.MapFunction;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.runtime.checkpoint.CheckpointStatsSnapshot;
import org.apache.flink.runtime.checkpoint.CompletedCheckpointStats;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.test.junit5.InjectMiniCluster;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.apache.flink.util.CloseableIterator;

import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Jobs that fail when records before the window operator are part of a checkpoint. Partials never are:
 * see {@link UnalignedCheckpointsITCase}.
 *
 * <p>Covers: WindowSnapshots.
 */
@Timeout(120)
class UnalignedITCase {

    @RegisterExtension static final MiniClusterExtension CLUSTER = Clusters.ofFourSlots();

    private static final int READINGS = 6000;
    private static final int PER_SECOND = 2000;

    private static final AtomicBoolean MAY_FAIL = new AtomicBoolean();
    private static final AtomicBoolean FAILED = new AtomicBoolean();

    @ParameterizedTest
    @CsvSource({"TUMBLING, hashmap, true", "SLIDING, rocksdb, true", "SESSION, rocksdb, false"})
    void whatIsInTheChannelsComesBack(
            Shape.Kind kind,
            String backend,
            boolean objectReuse,
            @InjectMiniCluster MiniCluster cluster)
            throws Exception {
        MAY_FAIL.set(false);
        FAILED.set(false);
        Plan<?> plan = plan(kind);
        Configuration config = Cluster.checkpointed(backend, true, objectReuse);
        StreamExecutionEnvironment env = Cluster.environment(config, 2);
        env.setBufferTimeout(1);
        DataStream<Reading> readings = Cluster.readings(env, READINGS, PER_SECOND);
        CloseableIterator<String> rows = slowly(plan, plan.build(readings, Plan.Engine.OURS));
        JobClient job = env.executeAsync();
        while (persistedBytes(cluster, job) == 0) {
            Thread.sleep(10);
        }
        MAY_FAIL.set(true);
        List<String> actual = new ArrayList<>();
        rows.forEachRemaining(actual::add);
        job.getJobExecutionResult().get();

        assertThat(FAILED).isTrue();
        StreamExecutionEnvironment judge = Cluster.environment(Cluster.config(), 1);
        assertThat(actual.stream().sorted().toList())
                .isEqualTo(
                        Cluster.collect(
                                plan,
                                plan.build(
                                        Cluster.readings(judge, READINGS, Cluster.UNLIMITED),
                                        Plan.Engine.JUDGE)));
    }

    /** Of the last checkpoint that completed, what was between the operators. */
    private static long persistedBytes(MiniCluster cluster, JobClient job) throws Exception {
        CheckpointStatsSnapshot stats =
                cluster.getExecutionGraph(job.getJobID()).get().getCheckpointStatsSnapshot();
        CompletedCheckpointStats last =
                stats == null ? null : stats.getHistory().getLatestCompletedCheckpoint();
        return last == null ? 0 : last.getPersistedData();
    }

    private static <R> CloseableIterator<String> slowly(
            Plan<?> plan, SingleOutputStreamOperator<R> results) {
        return results.map(new SlowUntilItFails<R>(plan)).returns(Types.STRING).collectAsync();
    }

    private static Plan<String> plan(Shape.Kind kind) {
        return new Plan<>(
                KeyKind.STRING,
                Shape.random(kind, new Random(kind.ordinal() + 10)),
                Query.all(Column.REAL_OR_NULL, Column.BIG),
                -1,
                false,
                false,
                new BatchPolicy(100, 1 << 20, Duration.ofMillis(10)),
                false,
                false);
    }

    /** In the task of the window operator, which is slower than its inputs until it fails. */
    private record SlowUntilItFails<R>(Plan<?> plan) implements MapFunction<R, String> {

        @Override
        public String map(R result) throws InterruptedException {
            if (!FAILED.get()) {
                Thread.sleep(10);
                if (MAY_FAIL.get() && FAILED.compareAndSet(false, true)) {
                    throw new IllegalStateException("fails once");
                }
            }
            return plan.row(result);
        }
    }
}
