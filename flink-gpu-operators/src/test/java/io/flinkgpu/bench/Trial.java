package io.flinkgpu.bench;

import io.flinkgpu.backend.Backend;
import io.flinkgpu.column.ColumnBatch;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** One point of an axis on every engine; what the GPU makes is first compared with the CPU backend. */
final class Trial {

    private static final int IN_FLIGHT = 4;
    private static final int IN_FLIGHT_OF_SUBTASK = 2;

    /** Behind this size a CPU's rate no longer changes, and batches of several threads fill memory. */
    private static final long LARGE_BYTES = 32L << 20;

    private final Lab lab;
    private final String axis;

    Trial(Lab lab, String axis) {
        this.lab = lab;
        this.axis = axis;
    }

    /**
     * Adds a figure for each engine.
     *
     * @param at where on the axis
     * @param batchBytes about what a batch has
     */
    <R extends AutoCloseable> void run(Map<String, Long> at, long batchBytes, Work<R> work)
            throws Exception {
        boolean large = batchBytes > LARGE_BYTES;
        try (Setup<R> setup = new Setup<>(work)) {
            List<ColumnBatch> pageable = setup.batches(lab.cpu());
            List<Rates<R>> cores = setup.rates(large ? List.of(lab.cpu()) : lab.cores(), pageable);
            Rates<R> cpu = cores.get(0);
            if (lab.gpu().isPresent()) {
                List<ColumnBatch> pinned = setup.batches(lab.gpu().get());
                Rates<R> gpu = setup.rates(List.of(lab.gpu().get()), pinned).get(0);
                gpu.check(cpu);
                onGpu(at, work.unit(), gpu);
            }
            if (!large && lab.gpu().isPresent()) {
                List<Rates<R>> subtasks = new ArrayList<>();
                for (Backend subtask : lab.subtasks()) {
                    subtasks.addAll(setup.rates(List.of(subtask), setup.batches(subtask)));
                }
                time(
                        Engines.GPU_THREADS,
                        at,
                        work.unit(),
                        nanos -> Rates.together(subtasks, IN_FLIGHT_OF_SUBTASK, nanos));
            }
            if (!large) {
                time(Engines.CPU, at, work.unit(), nanos -> cpu.wall(1, nanos));
                time(Engines.ALL_CORES, at, work.unit(), nanos -> Rates.together(cores, 1, nanos));
            }
        }
    }

    private void onGpu(Map<String, Long> at, String unit, Rates<?> gpu) throws Exception {
        long nanos = lab.settings().runNanos();
        gpu.wall(IN_FLIGHT, nanos);
        lab.add(Figure.of(axis, Engines.KERNELS, at, unit, gpu.device(nanos)));
        time(Engines.GPU, at, unit, n -> gpu.wall(IN_FLIGHT, n));
    }

    /** Once to warm up, then the runs that count. */
    private void time(String engine, Map<String, Long> at, String unit, Timed timed)
            throws Exception {
        long nanos = lab.settings().runNanos();
        timed.rate(nanos);
        double[] values = new double[lab.settings().runs()];
        for (int i = 0; i < values.length; i++) {
            values[i] = timed.rate(nanos);
        }
        lab.add(Figure.of(axis, engine, at, unit, values));
    }

    /** A run that takes about so long. */
    @FunctionalInterface
    private interface Timed {
        double rate(long nanos) throws Exception;
    }

    /** Batches and programs of one point. */
    private static final class Setup<R extends AutoCloseable> implements AutoCloseable {

        private final Work<R> work;
        private final Deque<Rates<R>> rates = new ArrayDeque<>();
        private final List<ColumnBatch> batches = new ArrayList<>();

        Setup(Work<R> work) {
            this.work = work;
        }

        List<ColumnBatch> batches(Backend backend) {
            List<ColumnBatch> made = work.batches(backend.allocator());
            batches.addAll(made);
            return made;
        }

        /** The program on each backend; preparing it may take a second, so all at once. */
        List<Rates<R>> rates(List<? extends Backend> backends, List<ColumnBatch> batches)
                throws Exception {
            ExecutorService executor = Executors.newFixedThreadPool(backends.size());
            try {
                List<Future<Rates<R>>> made = new ArrayList<>();
                for (Backend backend : backends) {
                    made.add(executor.submit(() -> new Rates<>(work, backend, batches)));
                }
                List<Rates<R>> all = new ArrayList<>();
                for (Future<Rates<R>> one : made) {
                    all.add(one.get());
                    rates.push(one.get());
                }
                return all;
            } finally {
                executor.shutdown();
            }
        }

        @Override
        public void close() {
            rates.forEach(Rates::close);
            batches.forEach(ColumnBatch::close);
        }
    }
}
