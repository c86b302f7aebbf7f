package io.flinkgpu.windows;

import io.flinkgpu.FailsOnce;
import io.flinkgpu.GpuStreams;
import io.flinkgpu.api.Aggregates;
import io.flinkgpu.api.BackendChoice;
import io.flinkgpu.api.GpuOptions;
import io.flinkgpu.api.WindowResult;
import io.flinkgpu.testkit.Clusters;

import org.apache.flink.api.common.RuntimeExecutionMode;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.ExecutionOptions;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.apache.flink.util.CloseableIterator;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Running aggregates on a cluster: the last update of each key is the result over all its records.
 *
 * <p>Covers: RunningGpuStream.
 */
@Timeout(120)
class RunningITCase {

    @RegisterExtension static final MiniClusterExtension CLUSTER = Clusters.ofFourSlots();

    private static final int READINGS = 2000;

    @ParameterizedTest
    @CsvSource({"hashmap, true", "rocksdb, true", "hashmap, false"})
    void theLastUpdatesAreThoseOfAllReadingsAfterAFailure(String backend, boolean localAggregation)
            throws Exception {
        FailsOnce.FAILED.set(false);
        StreamExecutionEnvironment env =
                Cluster.environment(Cluster.checkpointed(backend, false, true), 2);
        DataStream<Reading> readings =
                Cluster.readings(env, READINGS, 2000)
                        .map(new FailsOnce<>(200, Integer.MAX_VALUE))
                        .returns(Types.POJO(Reading.class));
        Map<String, Long> counts = new TreeMap<>();
        int updates = lastCounts(readings, localAggregation, counts);
        assertThat(FailsOnce.FAILED).isTrue();
        assertThat(counts.values().stream().mapToLong(count -> count).sum()).isEqualTo(READINGS);
        assertThat(updates).isGreaterThan(counts.size());
    }

    @Test
    void inBatchExecutionEachKeyIsEmittedOnce() throws Exception {
        Configuration config = Cluster.config();
        config.set(ExecutionOptions.RUNTIME_MODE, RuntimeExecutionMode.BATCH);
        Map<String, Long> counts = new TreeMap<>();
        StreamExecutionEnvironment env = Cluster.environment(config, 2);
        int updates = lastCounts(Cluster.readings(env, READINGS, Cluster.UNLIMITED), true, counts);
        assertThat(counts.values().stream().mapToLong(count -> count).sum()).isEqualTo(READINGS);
        assertThat(updates).isEqualTo(counts.size());
    }

    @Test
    void updatesAreAtLeastAMillisecondApart() {
        StreamExecutionEnvironment env = Cluster.environment(Cluster.config(), 1);
        DataStream<Reading> readings = Cluster.readings(env, 1, 1);
        assertThatThrownBy(
                        () ->
                                GpuStreams.on(readings)
                                        .keyBy(reading -> reading.sensor)
                                        .every(Duration.ofNanos(999_999)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "updates are a millisecond to 365 days apart: every=PT0.000999999S; give"
                                + " another time, for example Duration.ofSeconds(1)");
    }

    private static int lastCounts(
            DataStream<Reading> readings, boolean localAggregation, Map<String, Long> counts)
            throws Exception {
        int updates = 0;
        CloseableIterator<WindowResult<String>> results =
                GpuStreams.on(readings)
                        .withOptions(GpuOptions.DEFAULT.withBackend(BackendChoice.CPU))
                        .keyBy(reading -> reading.sensor)
                        .every(Duration.ofMillis(20))
                        .localAggregation(localAggregation)
                        .aggregate(Aggregates.of((Reading reading) -> reading.id).count())
                        .executeAndCollect();
        while (results.hasNext()) {
            WindowResult<String> result = results.next();
            counts.put(result.key(), result.values().getLong(0));
            updates++;
        }
        results.close();
        return updates;
    }
}
