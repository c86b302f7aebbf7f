package io.flinkgpu.bench;

import io.flinkgpu.api.BackendChoice;
import io.flinkgpu.api.lookup.LookupRequest;
import io.flinkgpu.api.lookup.VectorChange;
import io.flinkgpu.backend.Backend;
import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.CompiledProgram;
import io.flinkgpu.backend.EmbeddingRows;
import io.flinkgpu.backend.cpu.CpuBackend;
import io.flinkgpu.backend.cuda.CudaBackend;
import io.flinkgpu.backend.plan.EmbeddingPlan;
import io.flinkgpu.backend.plan.EmbeddingTablesPlan;
import io.flinkgpu.backend.plan.TransformedBatch;
import io.flinkgpu.column.ColumnBatch;
import io.flinkgpu.embeddings.TableGauge;
import io.flinkgpu.testkit.TestRequests;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.vector.complex.ListVector;

import java.util.List;
import java.util.Optional;

/** A backend with tables, and the time of what it does. One thread's. */
final class LookupRig implements AutoCloseable {

    private static final long MEMORY_LIMIT_BYTES = 4L << 30;
    private static final long HOST_BYTES = 256L << 30;

    /** Where vectors are in device memory as far as they fit, the most that the host has as well. */
    private static final long DEVICE_ALONE_HOST_BYTES = 1L << 30;

    private final Backend backend;
    private final EmbeddingPlan plan;
    private final CompiledProgram<TransformedBatch> program;

    private LookupRig(Backend backend, EmbeddingPlan plan) throws BackendException {
        this.backend = backend;
        this.plan = plan;
        program = backend.compile(plan);
    }

    /**
     * All tables loaded.
     *
     * @param deviceBytes for their vectors
     */
    static LookupRig open(BackendChoice choice, LookupData data, long deviceBytes)
            throws BackendException {
        Backend backend =
                choice == BackendChoice.CUDA
                        ? CudaBackend.open(TestRequests.of(MEMORY_LIMIT_BYTES))
                        : CpuBackend.open(TestRequests.of(MEMORY_LIMIT_BYTES));
        try {
            return new LookupRig(backend, plan(data, deviceBytes));
        } catch (BackendException | RuntimeException e) {
            backend.close();
            throw e;
        }
    }

    /** All tables, in host memory or in files, and as far as there is room on the device. */
    static EmbeddingPlan plan(LookupData data, long deviceBytes) {
        return new EmbeddingPlan(
                new EmbeddingTablesPlan(
                        data.tables(),
                        data.isOnDevice() ? DEVICE_ALONE_HOST_BYTES : HOST_BYTES,
                        deviceBytes,
                        System.getProperty("java.io.tmpdir")));
    }

    /** The GPU if there is one and it is wanted. */
    static Optional<CudaBackend> gpu(LookupOptions options) throws BackendException {
        if (!options.backends().isEmpty() && !options.backends().contains(BackendChoice.CUDA)) {
            return Optional.empty();
        }
        try {
            return Optional.of(CudaBackend.open(TestRequests.of(1L << 30)));
        } catch (BackendException e) {
            if (options.backends().isEmpty()) {
                return Optional.empty();
            }
            throw e;
        }
    }

    /** Columns of requests; the caller closes them. */
    ColumnBatch requests(List<LookupRequest> requests) {
        return EmbeddingRows.requests(backend.allocator(), plan, requests);
    }

    /**
     * What a batch took.
     *
     * @param wallMicros from columns to columns
     * @param deviceMicros of the kernels, or all of it on the CPU
     * @param answer a number that the values make
     */
    record Took(double wallMicros, double deviceMicros, long answer) {}

    Took time(ColumnBatch batch) throws BackendException {
        long start = System.nanoTime();
        try (TransformedBatch result = program.submit(batch).await()) {
            double wall = (System.nanoTime() - start) / 1e3;
            return new Took(wall, result.deviceNanos() / 1e3, answer(result));
        }
    }

    /** Microseconds from columns to columns; what they hold is not looked at, which would take longer. */
    double micros(ColumnBatch batch) throws BackendException {
        long start = System.nanoTime();
        program.submit(batch).await().close();
        return (System.nanoTime() - start) / 1e3;
    }

    private static long answer(TransformedBatch result) {
        ListVector values = (ListVector) result.columns().vector(EmbeddingPlan.VALUES_COLUMN);
        ArrowBuf data = values.getDataVector().getDataBuffer();
        int count = values.getDataVector().getValueCount();
        long answer = count;
        for (int i = 0; i < count; i++) {
            answer = 31 * answer + data.getInt((long) Float.BYTES * i);
        }
        return answer;
    }

    /** How long changes took, in microseconds. */
    double apply(List<VectorChange> changes) throws BackendException {
        try (ColumnBatch batch =
                EmbeddingRows.changes(backend.allocator(), plan.tables(), changes)) {
            long start = System.nanoTime();
            program.residents().get(0).apply(batch);
            return (System.nanoTime() - start) / 1e3;
        }
    }

    /** What is watched of all tables. */
    long gauge(TableGauge gauge) {
        return plan.tables().tables().stream()
                .mapToLong(table -> program.gauges().get(gauge.of(table.name())).getAsLong())
                .sum();
    }

    @Override
    public void close() {
        program.close();
        backend.close();
    }
}
