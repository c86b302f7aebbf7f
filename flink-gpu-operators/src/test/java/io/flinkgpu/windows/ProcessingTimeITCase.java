package io.flinkgpu.windows;

import io.flinkgpu.FailsOnce;
import io.flinkgpu.api.Aggregate;
import io.flinkgpu.api.BatchPolicy;
import io.flinkgpu.testkit.Clusters;

import org.apache.flink.api.common.RuntimeExecutionMode;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.ExecutionOptions;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.test.junit5.MiniClusterExtension;

import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Which window a reading is in depends on the clock, but each is in as many as it should be.
 *
 * <p>Covers: WindowedGpuStream.
 */
@Timeout(120)
class ProcessingTimeITCase {

    @RegisterExtension static final MiniClusterExtension CLUSTER = Clusters.ofFourSlots();

    private static final int READINGS = 2000;

    /** Later readings, whose windows may not end before the job does, are of this sensor. */
    private static final String LAST = "last";

    @ParameterizedTest
    @CsvSource({
        "PROCESSING_TUMBLING, hashmap, true, 1",
        "PROCESSING_TUMBLING, rocksdb, false, 1",
        "PROCESSING_SLIDING, hashmap, false, 3"
    })
    void countsEachReadingAfterAFailure(
            Shape.Kind kind, String backend, boolean unaligned, int windowsPerReading)
            throws Exception {
        FailsOnce.FAILED.set(false);
        StreamExecutionEnvironment env =
                Cluster.environment(Cluster.checkpointed(backend, unaligned, true), 1);
        DataStream<Reading> readings =
                Cluster.readings(env, 2 * READINGS, 2000)
                        .map(new FailsOnce<>(200, Integer.MAX_VALUE))
                        .returns(Types.POJO(Reading.class))
                        .map(ProcessingTimeITCase::withSensor)
                        .returns(Types.POJO(Reading.class))
                        .rebalance();
        Plan<?> plan = plan(kind);
        List<String> rows = Cluster.collect(plan, plan.build(readings, Plan.Engine.OURS));
        assertThat(FailsOnce.FAILED).isTrue();

        assertThat(totals(rows, 1)).isEqualTo(totals(allReadings(), windowsPerReading));
    }

    /** The clock closes no window there: the end of the input does. */
    @ParameterizedTest
    @CsvSource({"PROCESSING_TUMBLING, 1", "PROCESSING_SLIDING, 3"})
    void countsEachReadingInBatchExecution(Shape.Kind kind, int windowsPerReading)
            throws Exception {
        Configuration config = Cluster.config();
        config.set(ExecutionOptions.RUNTIME_MODE, RuntimeExecutionMode.BATCH);
        Plan<?> plan = plan(kind);
        List<String> rows =
                Cluster.collect(
                        plan,
                        plan.build(
                                Cluster.readings(
                                        Cluster.environment(config, 2),
                                        READINGS,
                                        Cluster.UNLIMITED),
                                Plan.Engine.OURS));
        assertThat(totals(rows, 1)).isEqualTo(totals(allReadings(), windowsPerReading));
    }

    private static List<String> allReadings() throws Exception {
        Plan<?> global = plan(Shape.Kind.GLOBAL);
        StreamExecutionEnvironment judge = Cluster.environment(Cluster.config(), 1);
        return Cluster.collect(
                global,
                global.build(
                        Cluster.readings(judge, READINGS, Cluster.UNLIMITED), Plan.Engine.JUDGE));
    }

    private static Reading withSensor(Reading reading) {
        if (reading.id >= READINGS) {
            reading.sensor = LAST;
        }
        return reading;
    }

    /** Counts and sums of all windows by sensor. */
    private static Map<String, List<Long>> totals(List<String> rows, long times) {
        Map<String, List<Long>> totals = new TreeMap<>();
        for (String row : rows) {
            String[] words = row.replace(",", "").split(" ");
            if (!words[0].equals(LAST)) {
                totals.merge(
                        words[0],
                        List.of(times * Long.parseLong(words[4]), times * Long.parseLong(words[6])),
                        (a, b) -> List.of(a.get(0) + b.get(0), a.get(1) + b.get(1)));
            }
        }
        return totals;
    }

    private static Plan<String> plan(Shape.Kind kind) {
        return new Plan<>(
                KeyKind.STRING,
                Shape.random(kind, new Random(kind.ordinal() + 10)),
                new Query(
                        List.of(
                                new Query.Part(
                                        Column.WHOLE, List.of(Aggregate.COUNT, Aggregate.SUM)))),
                -1,
                false,
                true,
                new BatchPolicy(300, 1 << 20, Duration.ofMillis(10)),
                false,
                false);
    }
}
