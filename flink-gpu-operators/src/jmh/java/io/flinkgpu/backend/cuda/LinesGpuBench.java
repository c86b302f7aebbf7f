package io.flinkgpu.backend.cuda;

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

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;

import io.flinkgpu.api.Aggregate;
import io.flinkgpu.api.ValueSpec;
import io.flinkgpu.api.ValueType;
import io.flinkgpu.api.lines.Delimited;
import io.flinkgpu.backend.Backend;
import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.CompiledProgram;
import io.flinkgpu.backend.LineGroups;
import io.flinkgpu.backend.LinePlan;
import io.flinkgpu.backend.Submission;
import io.flinkgpu.backend.cpu.CpuBackend;
import io.flinkgpu.column.ColumnBatch;
import io.flinkgpu.oracle.Measurements;
import io.flinkgpu.oracle.SameLineGroups;

/**
 * Lines {@code station;temperature} to groups on the GPU and the CPU, over batch sizes and numbers of
 * keys: min, mean, max, sum and count of each station. Every batch is first checked against the CPU
 * backend. From host to host runs on one thread, and on several that each have a backend of their own, as
 * subtasks do.
 *
 * <p>Arguments: batch sizes in MiB, or none for 4, 16 and 64.
 */
public final class LinesGpuBench {

    private static final long MEMORY_LIMIT_BYTES = 3L << 30;
    private static final long SUBTASK_LIMIT_BYTES = 512L << 20;
    private static final long LINK_BYTES = 256L << 20;
    private static final long RUN_NANOS = 300_000_000L;
    private static final int RUNS = 3;
    private static final int IN_FLIGHT = 4;
    private static final int THREADS = 4;
    private static final int MIN_BATCHES = 3;
    private static final int ALL_BATCHES_MIB = 64;
    private static final int MEBIBYTE = 1 << 20;
    private static final int[] BATCH_MIB = {4, 16, 64};
    private static final int[] KEYS = {413, 41_000, 1_000_000};
    private static final LinePlan PLAN =
            new LinePlan(
                    Delimited.of(';').string("station").decimal("temp", 1),
                    0,
                    null,
                    List.of(1),
                    List.of(
                            new ValueSpec(
                                    "temp",
                                    ValueType.decimal(ValueType.MAX_PRECISION, 1),
                                    List.of(Aggregate.values()))));

    private LinesGpuBench() {}

    public static void main(String[] args) throws Exception {
        int[] sizes =
                args.length == 0
                        ? BATCH_MIB
                        : Arrays.stream(args).mapToInt(Integer::parseInt).toArray();
        CloseStack others = new CloseStack();
        try (CudaBackend gpu = CudaBackend.open(MEMORY_LIMIT_BYTES, 0);
                CpuBackend cpu = CpuBackend.open(MEMORY_LIMIT_BYTES);
                CompiledProgram<LineGroups> onGpu = gpu.compile(PLAN);
                CompiledProgram<LineGroups> onCpu = cpu.compile(PLAN)) {
            List<CudaBackend> subtasks = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                subtasks.add(others.push(CudaBackend.open(SUBTASK_LIMIT_BYTES, 0)));
            }
            List<CpuBackend> cores = new ArrayList<>();
            for (int i = 0; i < Runtime.getRuntime().availableProcessors(); i++) {
                cores.add(others.push(CpuBackend.open(MEMORY_LIMIT_BYTES)));
            }
            printHead(gpu);
            for (int mebibytes : sizes) {
                for (int keys : KEYS) {
                    report(mebibytes, keys, gpu, onGpu, subtasks, cpu, onCpu, cores);
                }
            }
        } finally {
            others.close();
        }
    }

    private static void printHead(CudaBackend gpu) throws BackendException {
        System.out.printf(
                Locale.ROOT,
                "%s, link %.1f GB/s to the device, %d CPU cores%n%n",
                gpu.description(),
                linkRate(gpu),
                Runtime.getRuntime().availableProcessors());
        System.out.println(
                "MiB |    keys |    rows | groups | kernels, us | GB/s | M rows/s | host to host GB/s"
                        + " (min - max of "
                        + RUNS
                        + ") | M rows/s | "
                        + THREADS
                        + " threads GB/s | cpu M rows/s, 1 core | all cores");
    }

    private static void report(
            int mebibytes,
            int keys,
            CudaBackend gpu,
            CompiledProgram<LineGroups> onGpu,
            List<CudaBackend> subtasks,
            CpuBackend cpu,
            CompiledProgram<LineGroups> onCpu,
            List<CpuBackend> cores)
            throws Exception {
        Measurements measurements = new Measurements(keys, new Random(keys));
        List<ColumnBatch> pinned = new ArrayList<>();
        List<ColumnBatch> pageable = new ArrayList<>();
        try {
            int batches = Math.max(MIN_BATCHES, ALL_BATCHES_MIB / mebibytes);
            for (int i = 0; i < batches; i++) {
                byte[] lines = measurements.lines(mebibytes * MEBIBYTE);
                pinned.add(Measurements.batch(gpu.allocator(), lines));
                pageable.add(Measurements.batch(cpu.allocator(), lines));
            }
            long groups = check(pinned, onGpu, pageable, onCpu);
            run(pinned, onGpu, IN_FLIGHT, RUN_NANOS);
            Rate alone = run(pinned, onGpu, 1, RUN_NANOS);
            Rate[] runs = new Rate[RUNS];
            for (int i = 0; i < RUNS; i++) {
                runs[i] = run(pinned, onGpu, IN_FLIGHT, RUN_NANOS);
            }
            Arrays.sort(runs, (a, b) -> Double.compare(a.gigabytes(), b.gigabytes()));
            run(pageable, onCpu, 1, RUN_NANOS);
            System.out.printf(
                    Locale.ROOT,
                    "%3d | %7d | %7d | %6d | %7.1f | %6.1f | %6.0f | %5.1f (%.1f - %.1f) | %5.0f |"
                            + " %5.1f | %5.1f | %5.0f%n",
                    mebibytes,
                    keys,
                    alone.rows / alone.batches,
                    groups,
                    alone.deviceNanos / 1e3 / alone.batches,
                    (double) alone.bytes / alone.deviceNanos,
                    1e3 * alone.rows / alone.deviceNanos,
                    runs[RUNS / 2].gigabytes(),
                    runs[0].gigabytes(),
                    runs[RUNS - 1].gigabytes(),
                    runs[RUNS / 2].rows(),
                    onThreads(subtasks, pinned, IN_FLIGHT / 2).gigabytes(),
                    run(pageable, onCpu, 1, RUN_NANOS).rows(),
                    onThreads(cores, pageable, 1).rows());
        } finally {
            pinned.forEach(ColumnBatch::close);
            pageable.forEach(ColumnBatch::close);
        }
    }

    /** Fails unless both backends have the same groups; returns the groups of a batch. */
    private static long check(
            List<ColumnBatch> gpuBatches,
            CompiledProgram<LineGroups> onGpu,
            List<ColumnBatch> cpuBatches,
            CompiledProgram<LineGroups> onCpu)
            throws BackendException {
        long groups = 0;
        for (int i = 0; i < gpuBatches.size(); i++) {
            try (LineGroups actual = onGpu.submit(gpuBatches.get(i)).await();
                    LineGroups expected = onCpu.submit(cpuBatches.get(i)).await()) {
                SameLineGroups.check(PLAN, actual, expected);
                groups += actual.groups().groups();
            }
        }
        return groups / gpuBatches.size();
    }

    /** A thread a backend; all together. */
    private static Rate onThreads(
            List<? extends Backend> backends, List<ColumnBatch> batches, int inFlight)
            throws Exception {
        ExecutorService executor = Executors.newFixedThreadPool(backends.size());
        try {
            List<Future<Rate>> rates = new ArrayList<>();
            for (Backend backend : backends) {
                rates.add(
                        executor.submit(
                                () -> {
                                    try (CompiledProgram<LineGroups> program =
                                            backend.compile(PLAN)) {
                                        return run(batches, program, inFlight, 2 * RUN_NANOS);
                                    }
                                }));
            }
            Rate sum = new Rate();
            for (Future<Rate> rate : rates) {
                sum.add(rate.get());
            }
            return sum;
        } finally {
            executor.shutdown();
        }
    }

    /** Aggregates the batches in turn until there was enough time. */
    private static Rate run(
            List<ColumnBatch> batches,
            CompiledProgram<LineGroups> program,
            int inFlight,
            long leastNanos)
            throws BackendException {
        Deque<Submission<LineGroups>> running = new ArrayDeque<>();
        Rate rate = new Rate();
        long start = System.nanoTime();
        for (int i = 0; System.nanoTime() - start < leastNanos; i++) {
            ColumnBatch batch = batches.get(i % batches.size());
            rate.bytes += batch.text(LinePlan.LINES_COLUMN).dataBytes();
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

    /** Plain copies of pinned memory, in GB/s. */
    private static double linkRate(CudaBackend gpu) throws BackendException {
        BufferAllocator pinned = gpu.allocator();
        try (ArrowBuf host = pinned.buffer(LINK_BYTES);
                DeviceBuffer device = new DeviceBuffer(new DeviceMemory());
                CudaStream stream = new CudaStream()) {
            device.reserve(LINK_BYTES);
            double best = 0;
            for (int i = 0; i < 8; i++) {
                long start = System.nanoTime();
                stream.copyToDevice(device.address(), host.memoryAddress(), LINK_BYTES);
                stream.drain();
                best = Math.max(best, (double) LINK_BYTES / (System.nanoTime() - start));
            }
            return best;
        }
    }

    /** What a run took; wall times of runs side by side are not added up. */
    private static final class Rate {
        long batches;
        long bytes;
        long rows;
        long deviceNanos;
        long wallNanos;

        void take(Submission<LineGroups> submission) throws BackendException {
            try (LineGroups groups = submission.await()) {
                batches++;
                rows += groups.lines();
                deviceNanos += groups.deviceNanos();
            }
        }

        void add(Rate other) {
            bytes += other.bytes;
            rows += other.rows;
            wallNanos = Math.max(wallNanos, other.wallNanos);
        }

        double gigabytes() {
            return (double) bytes / wallNanos;
        }

        /** In million rows a second. */
        double rows() {
            return 1e3 * rows / wallNanos;
        }
    }
}
