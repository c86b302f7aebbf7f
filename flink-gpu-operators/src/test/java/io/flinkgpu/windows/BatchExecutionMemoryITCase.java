package io.flinkgpu.windows;

import io.flinkgpu.GpuStreams;
import io.flinkgpu.api.Aggregates;
import io.flinkgpu.api.BackendChoice;
import io.flinkgpu.api.GpuOptions;
import io.flinkgpu.testkit.Clusters;
import io.flinkgpu.testkit.FailingJobs;

import org.apache.flink.api.common.RuntimeExecutionMode;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.windowing.assigners.GlobalWindows;
import org.apache.flink.test.junit5.MiniClusterExtension;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * In batch execution Flink forgets the state of a key once another one comes, so nothing may go there.
 *
 * <p>Covers: WindowedGpuStream.
 */
@Timeout(120)
class BatchExecutionMemoryITCase {

    @RegisterExtension static final MiniClusterExtension CLUSTER = Clusters.ofFourSlots();

    private static final int KEYS = 200_000;

    @Test
    void groupsForWhichThereIsNoMemoryFailTheJobInsteadOfBeingLost() {
        assertThat(FailingJobs.failure(BatchExecutionMemoryITCase::keys))
                .hasStackTraceContaining(
                        "in batch execution windows have to be in memory, as Flink keeps the state of"
                                + " one key at a time: heldBytes=")
                .hasStackTraceContaining(
                        ", memoryLimitBytes=16777216; raise memoryLimitBytes or the parallelism, or"
                                + " run the job in streaming mode");
    }

    private static DataStream<Long> keys() {
        StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment();
        env.setParallelism(1);
        env.setRuntimeMode(RuntimeExecutionMode.BATCH);
        return GpuStreams.on(env.fromSequence(1, KEYS))
                .withOptions(
                        GpuOptions.DEFAULT
                                .withBackend(BackendChoice.CPU)
                                .withMemoryLimitBytes(16 << 20))
                .keyBy(value -> value, Types.LONG)
                .window(GlobalWindows.createWithEndOfStreamTrigger())
                .aggregate(
                        Aggregates.of((Long value) -> (long) value).min().max().mean(),
                        result -> result.key(),
                        Types.LONG);
    }
}
