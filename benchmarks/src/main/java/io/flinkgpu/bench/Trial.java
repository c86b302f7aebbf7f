package io.flinkgpu.bench;

import io.flinkgpu.backend.Backend;
import io.flinkgpu.backend.CompiledProgram;
import io.flinkgpu.backend.cuda.CudaBackend;
import io.flinkgpu.column.ColumnBatch;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * One point of an axis on every engine; what the GPU makes is first compared with the CPU backend.
 *
 * @param <R> result of a batch
 */
final class Trial<R extends AutoCloseable> {

    private static final int IN_FLIGHT = 4;
    private static final int IN_FLIGHT_OF_SUBTASK = 2;

    /** Behind this size a CPU's rate no longer changes, and batches of several threads fill memory. */
    private static final long LARGE_BYTES = 32L << 20;

    private final Lab lab;
    private final String axis;
    private final Programs<R> programs;

    /**
     * @param programs of every point; the caller's to close
     */
    Trial(Lab lab, String axis, Programs<R> programs) {
        this.lab = lab;
        this.axis = axis;
        this.programs = programs;
    }

    /**
     * Adds a figure for each engine.
     *
     * @param at where on the axis
     * @param batchBytes about what a batch has
     */
    void run(Map<String, Long> at, long batchBytes, Work<R> work) throws Exception {
        boolean large = batchBytes > LARGE_BYTES;
        try (Batches batches = new Batches(work)) {
            List<Rates<R>> cores = cores(work, batches);
            if (lab.gpu().isPresent()) {
                onGpu(at, work.unit(), gpu(work, batches, cores));
            }
            if (!large && lab.gpu().isPresent()) {
                List<Rates<R>> subtasks = new ArrayList<>();
                List<CompiledProgram<R>> compiled = programs.on(lab.subtasks());
                for (int i = 0; i < compiled.size(); i++) {
                    List<ColumnBatch> pinned = batches.in(lab.subtasks().get(i));
                    subtasks.add(new Rates<>(work, compiled.get(i), pinned));
                }
                time(
                        Engines.GPU_THREADS,
                        at,
                        work.unit(),
                        nanos -> Rates.together(subtasks, IN_FLIGHT_OF_SUBTASK, nanos));
            }
            if (!large) {
                // One core comes last: until the JVM has compiled all, it is a third as fast.
                time(Engines.ALL_CORES, at, work.unit(), nanos -> Rates.together(cores, 1, nanos));
                time(Engines.CPU, at, work.unit(), nanos -> cores.get(0).wall(1, nanos));
            }
        }
    }

    /** Adds the figure of the kernels alone, where there is a GPU. */
    void kernels(Map<String, Long> at, Work<R> work) throws Exception {
        if (lab.gpu().isEmpty()) {
            return;
        }
        try (Batches batches = new Batches(work)) {
            kernels(at, gpu(work, batches, cores(work, batches)), work.unit());
        }
    }

    /** The CPU backend's of each core, all on the same batches. */
    private List<Rates<R>> cores(Work<R> work, Batches batches) throws Exception {
        List<ColumnBatch> pageable = batches.in(lab.cpu());
        List<Rates<R>> cores = new ArrayList<>();
        for (CompiledProgram<R> program : programs.on(lab.cores())) {
            cores.add(new Rates<>(work, program, pageable));
        }
        return cores;
    }

    /** The GPU's rates, after its results were compared. */
    private Rates<R> gpu(Work<R> work, Batches batches, List<Rates<R>> oracles) throws Exception {
        CudaBackend backend = lab.gpu().orElseThrow();
        CompiledProgram<R> program = programs.on(List.of(backend)).get(0);
        Rates<R> gpu = new Rates<>(work, program, batches.in(backend));
        gpu.check(oracles);
        return gpu;
    }

    private void kernels(Map<String, Long> at, Rates<R> gpu, String unit) throws Exception {
        long nanos = lab.settings().runNanos();
        gpu.wall(IN_FLIGHT, nanos);
        lab.add(Figure.of(axis, Engines.KERNELS, at, unit, gpu.device(nanos)));
    }

    private void onGpu(Map<String, Long> at, String unit, Rates<R> gpu) throws Exception {
        kernels(at, gpu, unit);
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

    /** Those of one point, until it is done. */
    private static final class Batches implements AutoCloseable {

        private final Work<?> work;
        private final List<ColumnBatch> all = new ArrayList<>();

        Batches(Work<?> work) {
            this.work = work;
        }

        List<ColumnBatch> in(Backend backend) {
            List<ColumnBatch> made = work.batches(backend.allocator());
            all.addAll(made);
            return made;
        }

        @Override
        public void close() {
            all.forEach(ColumnBatch::close);
        }
    }
}
