package io.flinkgpu.windows;

import io.flinkgpu.FailsOnce;
import io.flinkgpu.GpuStreams;
import io.flinkgpu.api.Aggregates;
import io.flinkgpu.testkit.Clusters;

import org.apache.flink.api.common.RuntimeExecutionMode;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.ExecutionOptions;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.windowing.assigners.GlobalWindows;
import org.apache.flink.streaming.api.windowing.triggers.ContinuousEventTimeTrigger;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.apache.flink.util.CloseableIterator;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Covers: WindowedGpuStream.
 */
@Timeout(120)
class TriggersITCase {

    @RegisterExtension static final MiniClusterExtension CLUSTER = Clusters.ofFourSlots();

    private static final TypeInformation<Reading> TYPE = Types.POJO(Reading.class);
    private static final int READINGS = 2000;

    /** One source, so that the readings of a sensor have an order. */
    @Test
    void eachWindowIsOfReadingsThatFollowEachOtherAlsoAfterAFailure() throws Exception {
        FailsOnce.FAILED.set(false);
        DataStream<Reading> readings =
                readings()
                        .map(new FailsOnce<>(200, Integer.MAX_VALUE))
                        .returns(TYPE)
                        .setParallelism(1);
        CloseableIterator<String> results =
                GpuStreams.on(readings)
                        .keyBy(reading -> reading.sensor)
                        .countWindow(7)
                        .aggregate(
                                Aggregates.of((Reading reading) -> reading.id).sum().max().first(),
                                result ->
                                        result.key()
                                                + " "
                                                + result.values().get(0)
                                                + " "
                                                + result.values().get(1)
                                                + " "
                                                + (result.values().get(2) != null),
                                Types.STRING)
                        .executeAndCollect();
        List<String> actual = new ArrayList<>();
        results.forEachRemaining(actual::add);
        results.close();
        assertThat(FailsOnce.FAILED).isTrue();

        CloseableIterator<Reading> all = readings().executeAndCollect();
        List<String> expected = new ArrayList<>();
        Map<String, List<Long>> open = new TreeMap<>();
        all.forEachRemaining(
                reading -> {
                    List<Long> ids =
                            open.computeIfAbsent(reading.sensor, sensor -> new ArrayList<>());
                    ids.add(reading.id);
                    if (ids.size() == 7) {
                        long sum = ids.stream().mapToLong(id -> id).sum();
                        expected.add(reading.sensor + " " + sum + " " + ids.get(6) + " true");
                        ids.clear();
                    }
                });
        all.close();
        assertThat(actual).containsExactlyInAnyOrderElementsOf(expected);
    }

    @Test
    void aContinuousTriggerFailsInBatchExecution() {
        Configuration config = Cluster.config();
        config.set(ExecutionOptions.RUNTIME_MODE, RuntimeExecutionMode.BATCH);
        DataStream<Reading> readings =
                Cluster.readings(Cluster.environment(config, 1), 10, Cluster.UNLIMITED);
        GpuStreams.on(readings)
                .keyBy(reading -> reading.sensor)
                .window(GlobalWindows.create())
                .trigger(ContinuousEventTimeTrigger.of(Duration.ofSeconds(1)))
                .aggregate(Aggregates.of((Reading reading) -> reading.id).sum())
                .print();
        assertThatThrownBy(() -> readings.getExecutionEnvironment().execute())
                .hasStackTraceContaining(
                        "a continuous trigger fires while records come, and not in batch execution:"
                                + " trigger=CONTINUOUS_EVENT_TIME; run the job in streaming mode");
    }

    private static DataStream<Reading> readings() {
        return Cluster.readings(
                        Cluster.environment(Cluster.checkpointed("hashmap", true, true), 2),
                        READINGS,
                        2000)
                .setParallelism(1)
                .map(reading -> reading)
                .returns(TYPE)
                .setParallelism(1);
    }
}
