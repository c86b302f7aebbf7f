package io.flinkgpu.bench;

import io.flinkgpu.api.Aggregate;
import io.flinkgpu.api.ColumnType;
import io.flinkgpu.api.ValueSpec;
import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.CompiledProgram;
import io.flinkgpu.backend.TestRequests;
import io.flinkgpu.backend.cpu.CpuBackend;
import io.flinkgpu.backend.plan.AggregatePlan;
import io.flinkgpu.backend.plan.GroupedBatch;
import io.flinkgpu.column.ColumnBatch;
import io.flinkgpu.column.RowValues;
import io.flinkgpu.column.ValueBatchBuilder;

import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.CommandLineOptionException;
import org.openjdk.jmh.runner.options.CommandLineOptions;
import org.openjdk.jmh.runner.options.OptionsBuilder;

import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/**
 * The CPU backend's aggregation of full batches on one core: min, mean, max and count of one column by
 * key. The number to read is the counter {@code rows}, in rows a second. Building the batches is
 * measured apart.
 */
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 4, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(
        value = 2,
        jvmArgsAppend = {"--add-opens=java.base/java.nio=ALL-UNNAMED", "-Xmx2g"})
public class AggregationBenchmark {

    private static final int ROWS = 1 << 16;
    private static final int BATCHES = 8;

    /** Rows read. */
    @State(Scope.Thread)
    @AuxCounters(AuxCounters.Type.OPERATIONS)
    public static class Counter {
        public long rows;
    }

    /** Batches and the backend that aggregates them. */
    @State(Scope.Thread)
    public static class Batches {
        @Param({"10", "1000", "100000"})
        int keys;

        @Param({"long", "double"})
        String type;

        CpuBackend backend;
        CompiledProgram<GroupedBatch> aggregation;
        ValueBatchBuilder builder;
        final ColumnBatch[] batches = new ColumnBatch[BATCHES];
        final int[] keyIds = new int[ROWS];
        final long[] words = new long[ROWS];
        final RowValues row = new RowValues(1);
        int next;

        @Setup(Level.Trial)
        public void open() throws BackendException {
            ColumnType valueType = type.equals("long") ? ColumnType.LONG : ColumnType.DOUBLE;
            ValueSpec value =
                    new ValueSpec(
                            "",
                            valueType,
                            List.of(Aggregate.MIN, Aggregate.MEAN, Aggregate.MAX, Aggregate.COUNT));
            backend = CpuBackend.open(TestRequests.of(1L << 30));
            aggregation = backend.compile(new AggregatePlan(ColumnType.INT, List.of(value)));
            builder =
                    new ValueBatchBuilder(
                            backend.allocator(), ROWS, Integer.MAX_VALUE, List.of(valueType));
            Random random = new Random(1);
            for (int i = 0; i < BATCHES; i++) {
                for (int j = 0; j < ROWS; j++) {
                    double celsius = random.nextInt(1000) / 10.0 - 20;
                    keyIds[j] = random.nextInt(keys);
                    words[j] =
                            valueType.isFloating()
                                    ? Double.doubleToLongBits(celsius)
                                    : (long) (10 * celsius);
                }
                batches[i] = build();
            }
        }

        ColumnBatch build() {
            for (int i = 0; i < ROWS; i++) {
                row.putWord(0, words[i]);
                builder.append(keyIds[i], 60_000, row);
            }
            return builder.build();
        }

        ColumnBatch next() {
            next = (next + 1) % BATCHES;
            return batches[next];
        }

        @TearDown(Level.Trial)
        public void close() {
            for (ColumnBatch batch : batches) {
                batch.close();
            }
            aggregation.close();
            backend.close();
        }
    }

    @Benchmark
    public long aggregate(Batches state, Counter counter) throws BackendException {
        ColumnBatch batch = state.next();
        counter.rows += batch.rows();
        try (GroupedBatch grouped = state.aggregation.submit(batch).await()) {
            return grouped.groups();
        }
    }

    @Benchmark
    public long build(Batches state, Counter counter) {
        try (ColumnBatch batch = state.build()) {
            counter.rows += batch.rows();
            return batch.rows();
        }
    }

    /** Takes JMH's options; adds the GC profiler. */
    public static void main(String[] args) throws RunnerException, CommandLineOptionException {
        new Runner(
                        new OptionsBuilder()
                                .parent(new CommandLineOptions(args))
                                .include(AggregationBenchmark.class.getName())
                                .addProfiler(GCProfiler.class)
                                .build())
                .run();
    }
}
