package io.flinkgpu.bench;

import io.flinkgpu.api.GpuOptions;
import io.flinkgpu.api.LineChunk;
import io.flinkgpu.api.LineChunkTypeInfo;
import io.flinkgpu.api.Lines;
import io.flinkgpu.backend.cpu.CpuBackend;
import io.flinkgpu.operator.BatchOperatorFactory;
import io.flinkgpu.operator.lines.LineAggregateSpec;
import io.flinkgpu.operator.lines.LineRows;
import io.flinkgpu.operator.window.WindowInputKeySelector;
import io.flinkgpu.operator.window.WindowInputTypeInfo;
import io.flinkgpu.operator.window.WindowPlan;
import io.flinkgpu.operator.window.keyed.WindowAggregateOperatorFactory;

import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.connector.source.lib.NumberSequenceSource;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.types.Row;

import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;

import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * What a job takes for groups of lines once a device has them, without a device: {@code main [GROUPS
 * [PARALLELISM [ROUNDS]]]}, CPU and wall nanoseconds a group of the whole process, all that Flink does for
 * them included. Its backend gives made-up groups out at the end of the input. {@code GivenGroupsBench} has
 * the stages.
 */
public final class GivenGroupsJob {

    private static final byte[] LINE = "a;1.0\n".getBytes(StandardCharsets.US_ASCII);

    private GivenGroupsJob() {}

    public static void main(String[] args) throws Exception {
        int groups = args.length > 0 ? Integer.parseInt(args[0]) : 2_000_000;
        int parallelism =
                args.length > 1
                        ? Integer.parseInt(args[1])
                        : Runtime.getRuntime().availableProcessors();
        int rounds = args.length > 2 ? Integer.parseInt(args[2]) : 6;
        LineAggregateSpec spec = GivenAggregation.spec();
        WindowPlan<Row, String, String, long[]> plan =
                GivenAggregation.plan(GpuOptions.DEFAULT.memoryLimitBytes());
        try (BufferAllocator allocator = new RootAllocator();
                HeldOnNoDevice held = new HeldOnNoDevice(allocator, spec.plan(), groups);
                Jobs jobs = new Jobs(parallelism, new Configuration())) {
            for (int round = 0; round < rounds; round++) {
                held.refill();
                System.gc();
                long[][] found = new long[1][];
                Cost cost = Cost.of(() -> found[0] = run(jobs, parallelism, spec, plan));
                if (found[0][0] != groups || found[0][1] != MadeUpGroups.LINES * groups) {
                    throw new IllegalStateException(
                            "each group has a result: groups="
                                    + groups
                                    + ", results="
                                    + found[0][0]);
                }
                System.out.printf(
                        Locale.ROOT,
                        "%d groups, %d subtasks: %.0f ns CPU, %.0f ns a group%n",
                        groups,
                        parallelism,
                        1e9 * cost.cpuSeconds() / groups,
                        1e9 * cost.wallSeconds() / groups);
            }
        }
    }

    @SuppressWarnings({"unchecked", "rawtypes"}) // Chunks are lines.
    private static TypeInformation<Lines> linesType() {
        return (TypeInformation) LineChunkTypeInfo.INSTANCE;
    }

    private static long[] run(
            Jobs jobs,
            int parallelism,
            LineAggregateSpec spec,
            WindowPlan<Row, String, String, long[]> plan)
            throws Exception {
        StreamExecutionEnvironment environment = jobs.environment(parallelism);
        environment
                .fromSource(
                        new NumberSequenceSource(1, parallelism),
                        WatermarkStrategy.noWatermarks(),
                        "a line each")
                .map(number -> (Lines) new LineChunk("f", 0, LINE))
                .returns(linesType())
                .transform(
                        "local",
                        new WindowInputTypeInfo<>(
                                Types.STRING, LineRows.type(GivenAggregation.READING.format())),
                        new BatchOperatorFactory<>(
                                spec, GpuOptions.DEFAULT, HeldOnNoDevice::open, CpuBackend::open))
                .keyBy(
                        new WindowInputKeySelector<>(row -> (String) row.getField("key")),
                        Types.STRING)
                .transform("windows", KeysJobs.RESULT, new WindowAggregateOperatorFactory<>(plan))
                .sinkTo(new KeysTally());
        environment.execute("given groups");
        return KeysTally.take();
    }
}
