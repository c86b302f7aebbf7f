package io.flinkgpu.bench;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

import org.apache.arrow.memory.BufferAllocator;

import io.flinkgpu.Backends;
import io.flinkgpu.api.Aggregate;
import io.flinkgpu.api.BackendChoice;
import io.flinkgpu.api.ValueSpec;
import io.flinkgpu.api.ValueType;
import io.flinkgpu.backend.AggregatePlan;
import io.flinkgpu.backend.Backend;
import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.CompiledProgram;
import io.flinkgpu.backend.GroupedBatch;
import io.flinkgpu.backend.KeyKind;
import io.flinkgpu.backend.Submission;
import io.flinkgpu.column.ColumnBatch;
import io.flinkgpu.column.RowValues;
import io.flinkgpu.column.ValueBatchBuilder;
import io.flinkgpu.oracle.SameGroups;

/**
 * Aggregation on the GPU and the CPU, over batch sizes and numbers of keys: key ids, a slice, a column
 * of doubles and one of decimals, all aggregates of both. Every batch is first checked against the CPU
 * backend, word for word. A run takes at least 50 million rows.
 */
public final class AggregationGpuBench {

    private static final long MEMORY_LIMIT_BYTES = 4L << 30;
    private static final long RUN_ROWS = 50_000_000;
    private static final long RUN_NANOS = 500_000_000L;
    private static final int RUNS = 3;
    private static final int IN_FLIGHT = 4;
    private static final int BATCHES = 8;
    private static final int[] BATCH_ROWS = {1 << 16, 1_000_000};
    private static final int[] KEYS = {1, 413, 41_000, 1_000_000};
    private static final int SKEWED_KEYS = 41_000;
    private static final int HOT_PERCENT = 90;
    private static final int ROW_BYTES = 28;
    private static final AggregatePlan PLAN =
            new AggregatePlan(
                    KeyKind.ID,
                    List.of(
                            spec("temperature", ValueType.DOUBLE),
                            spec("price", ValueType.decimal(18, 2))));

    private AggregationGpuBench() {}

    public static void main(String[] args) throws Exception {
        try (Backend gpu = Backends.of(BackendChoice.CUDA).open(MEMORY_LIMIT_BYTES, 0);
                Backend cpu = openCpu();
                CompiledProgram<GroupedBatch> onGpu = gpu.compile(PLAN);
                CompiledProgram<GroupedBatch> onCpu = cpu.compile(PLAN)) {
            System.out.printf(
                    Locale.ROOT,
                    "%s, %d CPU cores, %d bytes a row, million rows a second%n%n",
                    gpu.description(),
                    Runtime.getRuntime().availableProcessors(),
                    ROW_BYTES);
            System.out.println(
                    "batch rows |    keys | groups a batch | kernels | host to host (min - max of "
                            + RUNS
                            + ") | cpu, 1 core | cpu, all cores");
            for (int rows : BATCH_ROWS) {
                for (int keys : KEYS) {
                    report(rows, keys, 0, gpu.allocator(), onGpu, cpu.allocator(), onCpu);
                }
                report(
                        rows,
                        SKEWED_KEYS,
                        HOT_PERCENT,
                        gpu.allocator(),
                        onGpu,
                        cpu.allocator(),
                        onCpu);
            }
        }
    }

    private static ValueSpec spec(String name, ValueType type) {
        return new ValueSpec(name, type, List.of(Aggregate.values()));
    }

    private static Backend openCpu() throws BackendException {
        return Backends.of(BackendChoice.CPU).open(MEMORY_LIMIT_BYTES, 0);
    }

    private static void report(
            int rows,
            int keys,
            int hotPercent,
            BufferAllocator pinned,
            CompiledProgram<GroupedBatch> onGpu,
            BufferAllocator pageable,
            CompiledProgram<GroupedBatch> onCpu)
            throws Exception {
        List<ColumnBatch> gpuBatches = batches(pinned, rows, keys, hotPercent);
        List<ColumnBatch> cpuBatches = batches(pageable, rows, keys, hotPercent);
        try {
            long groups = check(gpuBatches, onGpu, cpuBatches, onCpu);
            run(gpuBatches, onGpu, IN_FLIGHT, RUN_ROWS, RUN_NANOS);
            Rate alone = run(gpuBatches, onGpu, 1, RUN_ROWS / 5, 0);
            double[] hostToHost = new double[RUNS];
            for (int i = 0; i < RUNS; i++) {
                hostToHost[i] = run(gpuBatches, onGpu, IN_FLIGHT, RUN_ROWS, RUN_NANOS).wall();
            }
            Arrays.sort(hostToHost);
            run(cpuBatches, onCpu, 1, RUN_ROWS / 10, 0);
            Rate oneCore = run(cpuBatches, onCpu, 1, RUN_ROWS / 10, RUN_NANOS);
            System.out.printf(
                    Locale.ROOT,
                    "%10d | %7d%s | %14d | %7.0f | %7.0f (%.0f - %.0f) | %.1f | %.1f%n",
                    rows,
                    keys,
                    hotPercent == 0 ? "" : ", " + hotPercent + " % one",
                    groups,
                    alone.device(),
                    hostToHost[RUNS / 2],
                    hostToHost[0],
                    hostToHost[RUNS - 1],
                    oneCore.wall(),
                    allCores(cpuBatches));
        } finally {
            gpuBatches.forEach(ColumnBatch::close);
            cpuBatches.forEach(ColumnBatch::close);
        }
    }

    private static List<ColumnBatch> batches(
            BufferAllocator allocator, int rows, int keys, int hotPercent) {
        List<ValueType> types = PLAN.values().stream().map(ValueSpec::type).toList();
        List<ColumnBatch> batches = new ArrayList<>();
        Random random = new Random(1);
        RowValues values = new RowValues(types.size());
        try (ValueBatchBuilder builder =
                new ValueBatchBuilder(allocator, rows, Integer.MAX_VALUE, types)) {
            for (int i = 0; i < BATCHES; i++) {
                for (int row = 0; row < rows; row++) {
                    boolean hot = hotPercent > 0 && random.nextInt(100) < hotPercent;
                    double temperature = Math.round(200 + 100 * random.nextGaussian()) / 10.0;
                    values.putWord(0, Double.doubleToLongBits(temperature));
                    values.putWord(1, random.nextInt(1_000_000_000));
                    builder.append(hot ? 7 : random.nextInt(keys), 60_000L * i, values);
                }
                batches.add(builder.build());
            }
        }
        return batches;
    }

    /** Fails unless both backends give the same words; returns the groups of a batch. */
    private static long check(
            List<ColumnBatch> gpuBatches,
            CompiledProgram<GroupedBatch> onGpu,
            List<ColumnBatch> cpuBatches,
            CompiledProgram<GroupedBatch> onCpu)
            throws BackendException {
        long groups = 0;
        for (int i = 0; i < BATCHES; i++) {
            try (GroupedBatch actual = onGpu.submit(gpuBatches.get(i)).await();
                    GroupedBatch expected = onCpu.submit(cpuBatches.get(i)).await()) {
                SameGroups.check(PLAN, actual, expected);
                groups += actual.groups();
            }
        }
        return groups / BATCHES;
    }

    /** A thread a core, each with a backend of its own and all the batches. */
    private static double allCores(List<ColumnBatch> batches) throws Exception {
        int threads = Runtime.getRuntime().availableProcessors();
        ExecutorService executor = Executors.newFixedThreadPool(threads);
        try {
            List<Future<Double>> rates = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                rates.add(
                        executor.submit(
                                () -> {
                                    try (Backend cpu = openCpu();
                                            CompiledProgram<GroupedBatch> program =
                                                    cpu.compile(PLAN)) {
                                        return run(batches, program, 1, 0, RUN_NANOS).wall();
                                    }
                                }));
            }
            double sum = 0;
            for (Future<Double> rate : rates) {
                sum += rate.get();
            }
            return sum;
        } finally {
            executor.shutdown();
        }
    }

    /** Aggregates the batches in turn until there were enough rows and time. */
    private static Rate run(
            List<ColumnBatch> batches,
            CompiledProgram<GroupedBatch> program,
            int inFlight,
            long leastRows,
            long leastNanos)
            throws BackendException {
        Deque<Submission<GroupedBatch>> running = new ArrayDeque<>();
        Rate rate = new Rate();
        long start = System.nanoTime();
        for (int i = 0; rate.rows < leastRows || System.nanoTime() - start < leastNanos; i++) {
            ColumnBatch batch = batches.get(i % batches.size());
            rate.rows += batch.rows();
            running.add(program.submit(batch));
            if (running.size() == inFlight) {
                rate.take(running.poll());
            }
        }
        while (!running.isEmpty()) {
            rate.take(running.poll());
        }
        rate.wallNanos = System.nanoTime() - start;
        return rate;
    }

    /** In million rows a second. */
    private static final class Rate {
        long rows;
        long deviceNanos;
        long wallNanos;

        void take(Submission<GroupedBatch> submission) throws BackendException {
            try (GroupedBatch grouped = submission.await()) {
                deviceNanos += grouped.deviceNanos();
            }
        }

        double wall() {
            return 1e3 * rows / wallNanos;
        }

        double device() {
            return 1e3 * rows / deviceNanos;
        }
    }
}
