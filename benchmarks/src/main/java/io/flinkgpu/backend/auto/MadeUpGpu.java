package io.flinkgpu.backend.auto;

import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.CompiledProgram;
import io.flinkgpu.backend.ForwardingBackend;
import io.flinkgpu.backend.OpenRequest;
import io.flinkgpu.backend.Placement;
import io.flinkgpu.backend.Plan;
import io.flinkgpu.backend.SampleBatch;
import io.flinkgpu.backend.Submission;
import io.flinkgpu.backend.cpu.CpuBackend;
import io.flinkgpu.column.ColumnBatch;

/**
 * A GPU of a speed made up, to see what choosing costs where there is none. It takes the time a batch
 * needs at that speed, besides 20 us, and computes one row.
 */
final class MadeUpGpu extends ForwardingBackend {

    private static final long LATENCY_NANOS = 20_000;

    private final double bytesPerNano;

    private final Placement placement;

    MadeUpGpu(OpenRequest request, double bytesPerNano) {
        super(CpuBackend.open(request));
        this.bytesPerNano = bytesPerNano;
        placement = new Placement(Placement.Kind.CUDA, 0, "made-up GPU", request.sharers(1));
    }

    @Override
    public Placement placement() {
        return placement;
    }

    @Override
    public <R extends AutoCloseable> CompiledProgram<R> compile(Plan<R> plan)
            throws BackendException {
        return slowed(super.compile(plan), plan.sample());
    }

    private <R extends AutoCloseable> CompiledProgram<R> slowed(
            CompiledProgram<R> program, SampleBatch.Maker maker) {
        SampleBatch oneRow = maker.make(allocator(), 1, 1);
        return new CompiledProgram<>() {
            @Override
            public Submission<R> submit(ColumnBatch batch) {
                return () -> {
                    long until = System.nanoTime() + LATENCY_NANOS + nanos(batch);
                    R result = program.submit(oneRow.batch()).await();
                    while (System.nanoTime() < until) {
                        Thread.onSpinWait();
                    }
                    return result;
                };
            }

            @Override
            public void close() {
                program.close();
                oneRow.close();
            }
        };
    }

    private long nanos(ColumnBatch batch) {
        long bytes = 0;
        for (int i = 0; i < batch.columns(); i++) {
            bytes += batch.vector(i).getBufferSize();
        }
        return (long) (bytes / bytesPerNano);
    }
}
