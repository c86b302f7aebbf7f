package io.flinkgpu.testkit;

import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.connector.source.util.ratelimit.RateLimiterStrategy;
import org.apache.flink.connector.datagen.source.DataGeneratorSource;
import org.apache.flink.connector.datagen.source.GeneratorFunction;
import org.apache.flink.runtime.testutils.MiniClusterResourceConfiguration;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.apache.flink.util.CloseableIterator;

import java.util.ArrayList;
import java.util.List;

/** Flink clusters in the test's own process, and what jobs there begin and end with. */
public final class Clusters {

    private Clusters() {}

    /** One TaskManager with four slots: jobs up to parallelism 4. */
    public static MiniClusterExtension ofFourSlots() {
        return new MiniClusterExtension(
                new MiniClusterResourceConfiguration.Builder()
                        .setNumberTaskManagers(1)
                        .setNumberSlotsPerTaskManager(4)
                        .build());
    }

    /** The numbers from 0 on in their order, of one subtask. */
    public static SingleOutputStreamOperator<Long> numbers(
            StreamExecutionEnvironment env, String name, int count, double perSecond) {
        GeneratorFunction<Long, Long> generator = i -> i;
        return env.fromSource(
                        new DataGeneratorSource<>(
                                generator,
                                count,
                                RateLimiterStrategy.perSecond(perSecond),
                                Types.LONG),
                        WatermarkStrategy.noWatermarks(),
                        name)
                .setParallelism(1)
                .uid(name);
    }

    /** Runs a job and gives what comes out. */
    public static <T> List<T> list(DataStream<T> results) throws Exception {
        return list(results.executeAndCollect());
    }

    /** What comes out of a job. */
    public static <T> List<T> list(CloseableIterator<T> iterator) throws Exception {
        List<T> list = new ArrayList<>();
        try (iterator) {
            iterator.forEachRemaining(list::add);
        }
        return list;
    }
}
