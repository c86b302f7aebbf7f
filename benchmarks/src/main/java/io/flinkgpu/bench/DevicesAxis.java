package io.flinkgpu.bench;

import io.flinkgpu.backend.Backend;
import io.flinkgpu.backend.BackendFactory;
import io.flinkgpu.backend.CompiledProgram;
import io.flinkgpu.backend.OpenRequest;
import io.flinkgpu.backend.cpu.CpuBackend;
import io.flinkgpu.backend.cuda.CudaBackend;
import io.flinkgpu.backend.cuda.device.CudaProbe;
import io.flinkgpu.backend.cuda.device.LinkRate;
import io.flinkgpu.backend.cuda.device.MemoryTimes;
import io.flinkgpu.column.ColumnBatch;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;

/**
 * One device and all that there are, in turns: what the subtasks of some jobs, one after the other, take to
 * open, what their memory takes ({@link MemoryTimes}), what else of a job is the same however long it is ({@link
 * DevicePhases}), plain copies of all at once, and rates from host to host of threads
 * with a backend each.
 */
final class DevicesAxis {

    private static final int JOBS = 5;
    private static final int[] THREADS = {8, 16};
    private static final int[] BATCH_MIB = {4, 16};
    private static final int BATCHES = 4;
    private static final int IN_FLIGHT = 2;
    private static final int KEYS = 413;
    private static final long LIMIT_BYTES = 512L << 20;
    private static final String LINK = "plain copies";

    /** A run has to be long enough for threads that start and end one after the other. */
    private static final int RUN_FACTOR = 5;

    private final Lab lab;

    private DevicesAxis(Lab lab) {
        this.lab = lab;
    }

    static void run(Lab lab) throws Exception {
        DevicesAxis axis = new DevicesAxis(lab);
        axis.open(Engines.CPU, 0, CpuBackend::open);
        if (lab.gpu().isEmpty()) {
            return;
        }
        int[] devices = IntStream.of(1, CudaProbe.deviceCount()).distinct().toArray();
        for (int used : devices) {
            axis.open(Engines.GPU_THREADS, used, CudaBackend::open);
        }
        for (int used : devices) {
            axis.copies(used);
            axis.memory(lab.settings().quick() ? 2 : 16, used);
        }
        LinesAxis.Work phased =
                new LinesAxis.Work(
                        LinesAxis.lines(
                                KEYS, IN_FLIGHT, lab.settings().quick() ? 1 << 14 : 16 << 20));
        for (int used : devices) {
            int threads = lab.settings().quick() ? 2 : 16;
            new DevicePhases(lab, phased, threads, used)
                    .run(() -> openAll(threads, used, CudaBackend::open));
        }
        for (int mebibytes : lab.settings().quick() ? new int[] {0} : BATCH_MIB) {
            int bytes = Math.max(1 << 14, mebibytes << 20);
            List<byte[]> logs = lab.input().batches(bytes);
            RedactionWork redaction =
                    new RedactionWork(logs.subList(0, Math.min(BATCHES, logs.size())));
            LinesAxis.Work lines = new LinesAxis.Work(LinesAxis.lines(KEYS, BATCHES, bytes));
            for (int threads : lab.settings().quick() ? new int[] {2} : THREADS) {
                Map<String, Long> at = new LinkedHashMap<>();
                at.put("batchBytes", (long) bytes);
                at.put("threads", (long) threads);
                at.put("rules", (long) lab.rules().size());
                axis.rates(at, devices, RedactionWork.programs(lab.compiledRules()), redaction);
                at.remove("rules");
                at.put("keys", (long) KEYS);
                axis.rates(at, devices, LinesAxis.programs(), lines);
            }
        }
    }

    /** Adds, for each job, the time until all its subtasks, which come at once, are open. */
    private void open(String engine, int devices, BackendFactory factory) throws Exception {
        int subtasks = lab.settings().quick() ? 2 : THREADS[0];
        for (int job = 1; job <= (lab.settings().quick() ? 2 : JOBS); job++) {
            long start = System.nanoTime();
            List<Backend> opened = openAll(subtasks, devices, factory);
            double millis = (System.nanoTime() - start) / 1e6;
            opened.forEach(Backend::close);
            Map<String, Long> at = new LinkedHashMap<>();
            at.put("threads", (long) subtasks);
            at.put("devices", (long) devices);
            at.put("job", (long) job);
            lab.add(Figure.of("devices", engine, at, "ms", millis));
        }
    }

    /** Adds what all devices can copy at once. */
    private void copies(int devices) throws Exception {
        List<Backend> opened = openAll(devices, devices, LIMIT_BYTES * 2, CudaBackend::open);
        LinkRate rate = LinkRate.measure(cuda(opened));
        opened.forEach(Backend::close);
        Map<String, Long> at = Map.of("devices", (long) devices);
        lab.add(Figure.of("devices", LINK, at, "GB/s to devices", rate.toDevice()));
        lab.add(Figure.of("devices", LINK, at, "GB/s to the host", rate.toHost()));
        lab.add(Figure.of("devices", LINK, at, "GB/s both ways", rate.both()));
    }

    /** Adds what the memory of a job's batches takes. */
    private void memory(int subtasks, int devices) throws Exception {
        for (long job = 1; job <= 3; job++) {
            List<Backend> opened = openAll(subtasks, devices, CudaBackend::open);
            Map<String, Double> times = MemoryTimes.measure(cuda(opened));
            opened.forEach(Backend::close);
            Map<String, Long> at = new LinkedHashMap<>();
            at.put("threads", (long) subtasks);
            at.put("devices", (long) devices);
            at.put("job", job);
            for (Map.Entry<String, Double> one : times.entrySet()) {
                String unit = "ms " + one.getKey();
                lab.add(Figure.of("devices", Engines.GPU_THREADS, at, unit, one.getValue()));
            }
        }
    }

    private static List<CudaBackend> cuda(List<Backend> backends) {
        return backends.stream().map(CudaBackend.class::cast).toList();
    }

    private static List<Backend> openAll(int subtasks, int devices, BackendFactory factory)
            throws Exception {
        return openAll(subtasks, devices, LIMIT_BYTES, factory);
    }

    private static List<Backend> openAll(
            int subtasks, int devices, long limitBytes, BackendFactory factory) throws Exception {
        ExecutorService executor = Executors.newFixedThreadPool(subtasks);
        try {
            List<Future<Backend>> opening = new ArrayList<>();
            for (int i = 0; i < subtasks; i++) {
                OpenRequest request =
                        new OpenRequest(
                                limitBytes, i % Math.max(1, devices), subtasks, 0, new byte[0]);
                opening.add(executor.submit(() -> factory.open(request)));
            }
            List<Backend> opened = new ArrayList<>();
            for (Future<Backend> one : opening) {
                opened.add(one.get());
            }
            return opened;
        } finally {
            executor.shutdown();
        }
    }

    /**
     * Adds the rates of one device and of all, in turns, after the last one's results were compared; closes
     * the programs.
     */
    private <R extends AutoCloseable> void rates(
            Map<String, Long> where, int[] used, Programs<R> programs, Work<R> work)
            throws Exception {
        int threads = where.get("threads").intValue();
        double[][] values = new double[used.length][lab.settings().runs()];
        List<List<Backend>> backends = new ArrayList<>();
        List<ColumnBatch> batches = new ArrayList<>();
        try (Programs<R> compiled = programs) {
            List<List<Rates<R>>> all = new ArrayList<>();
            for (int count : used) {
                backends.add(openAll(threads, count, CudaBackend::open));
                List<Backend> last = backends.get(backends.size() - 1);
                all.add(rates(work, compiled, last, batches));
            }
            List<ColumnBatch> pageable = work.batches(lab.cpu().allocator());
            batches.addAll(pageable);
            List<Rates<R>> oracles = new ArrayList<>();
            for (CompiledProgram<R> program : compiled.on(lab.cores())) {
                oracles.add(new Rates<>(work, program, pageable));
            }
            all.get(used.length - 1).get(threads - 1).check(oracles);
            long nanos = RUN_FACTOR * lab.settings().runNanos();
            // The first run is to warm up.
            for (int run = -1; run < lab.settings().runs(); run++) {
                for (int i = 0; i < used.length; i++) {
                    double rate = Rates.together(all.get(i), IN_FLIGHT, nanos);
                    values[i][Math.max(0, run)] = rate;
                }
            }
        } finally {
            batches.forEach(ColumnBatch::close);
            backends.forEach(some -> some.forEach(Backend::close));
        }
        for (int i = 0; i < used.length; i++) {
            Map<String, Long> at = new LinkedHashMap<>(where);
            at.put("devices", (long) used[i]);
            lab.add(Figure.of("devices", Engines.GPU_THREADS, at, work.unit(), values[i]));
        }
    }

    private static <R extends AutoCloseable> List<Rates<R>> rates(
            Work<R> work, Programs<R> programs, List<Backend> backends, List<ColumnBatch> batches)
            throws Exception {
        List<Rates<R>> rates = new ArrayList<>();
        List<CompiledProgram<R>> compiled = programs.on(backends);
        for (int i = 0; i < compiled.size(); i++) {
            List<ColumnBatch> pinned = work.batches(backends.get(i).allocator());
            batches.addAll(pinned);
            rates.add(new Rates<>(work, compiled.get(i), pinned));
        }
        return rates;
    }
}
