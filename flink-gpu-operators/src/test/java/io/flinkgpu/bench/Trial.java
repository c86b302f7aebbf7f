package io.flinkgpu.bench;

import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.CompiledProgram;
import io.flinkgpu.backend.cuda.CudaBackend;
import io.flinkgpu.column.ColumnBatch;

import java.util.List;
import java.util.Map;

/** One point of an axis on every engine; what the GPU makes is first compared with the CPU backend. */
final class Trial {

    private static final int IN_FLIGHT = 4;
    private static final int IN_FLIGHT_OF_SUBTASK = 2;

    /** Behind this size a CPU's rate no longer changes, and several results in flight fill memory. */
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
        List<ColumnBatch> batches = work.batches(lab.cpu().allocator());
        try (CompiledProgram<R> program = work.compile(lab.cpu())) {
            if (lab.gpu().isPresent()) {
                onGpu(at, batchBytes, work, program, batches, lab.gpu().get());
            }
            if (batchBytes <= LARGE_BYTES) {
                onCpu(at, work, program, batches);
            }
        } finally {
            batches.forEach(ColumnBatch::close);
        }
    }

    private <R extends AutoCloseable> void onCpu(
            Map<String, Long> at,
            Work<R> work,
            CompiledProgram<R> program,
            List<ColumnBatch> batches)
            throws Exception {
        Rates<R> rates = new Rates<>(work, batches);
        long nanos = lab.settings().runNanos();
        rates.wall(program, 1, nanos);
        add(Engines.CPU, at, work, () -> rates.wall(program, 1, nanos));
        add(Engines.ALL_CORES, at, work, () -> rates.wall(lab.cores(), 1, nanos));
    }

    private <R extends AutoCloseable> void onGpu(
            Map<String, Long> at,
            long batchBytes,
            Work<R> work,
            CompiledProgram<R> oracle,
            List<ColumnBatch> oracleBatches,
            CudaBackend gpu)
            throws Exception {
        long nanos = lab.settings().runNanos();
        List<ColumnBatch> batches = work.batches(gpu.allocator());
        try (CompiledProgram<R> program = work.compile(gpu)) {
            Rates<R> rates = new Rates<>(work, batches);
            rates.check(program, oracle, oracleBatches);
            rates.wall(program, IN_FLIGHT, nanos);
            double[] kernels = rates.device(program, nanos);
            lab.add(Figure.of(axis, Engines.KERNELS, at, work.unit(), kernels));
            add(Engines.GPU, at, work, () -> rates.wall(program, IN_FLIGHT, nanos));
            if (batchBytes <= LARGE_BYTES) {
                rates.wall(lab.subtasks(), IN_FLIGHT_OF_SUBTASK, nanos);
                add(
                        Engines.GPU_THREADS,
                        at,
                        work,
                        () -> rates.wall(lab.subtasks(), IN_FLIGHT_OF_SUBTASK, nanos));
            }
        } catch (BackendException e) {
            throw new IllegalStateException(axis + " " + at + " failed on the GPU", e);
        } finally {
            batches.forEach(ColumnBatch::close);
        }
    }

    private void add(String engine, Map<String, Long> at, Work<?> work, Timed timed)
            throws Exception {
        double[] values = new double[lab.settings().runs()];
        for (int i = 0; i < values.length; i++) {
            values[i] = timed.rate();
        }
        lab.add(Figure.of(axis, engine, at, work.unit(), values));
    }

    /** One timed run. */
    @FunctionalInterface
    private interface Timed {
        double rate() throws Exception;
    }
}
