package io.flinkgpu.backend.auto;

import io.flinkgpu.backend.plan.AggregatePlan;
import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.CompiledProgram;
import io.flinkgpu.backend.ForwardingBackend;
import io.flinkgpu.backend.plan.GroupedBatch;
import io.flinkgpu.backend.plan.LineGroups;
import io.flinkgpu.backend.plan.LinePlan;
import io.flinkgpu.backend.plan.PassPlan;
import io.flinkgpu.backend.plan.RedactedBatch;
import io.flinkgpu.backend.Submission;
import io.flinkgpu.backend.plan.TransformedBatch;
import io.flinkgpu.backend.cpu.CpuBackend;
import io.flinkgpu.column.ColumnBatch;
import io.flinkgpu.text.CompiledRules;

/**
 * A GPU of a speed made up, to see what choosing costs where there is none. It takes the time a batch
 * needs at that speed, besides 20 us, and computes one row.
 */
final class MadeUpGpu extends ForwardingBackend {

    private static final long LATENCY_NANOS = 20_000;

    private final double bytesPerNano;

    MadeUpGpu(long memoryLimitBytes, double bytesPerNano) {
        super(CpuBackend.open(memoryLimitBytes));
        this.bytesPerNano = bytesPerNano;
    }

    @Override
    public String description() {
        return "made-up GPU";
    }

    @Override
    public boolean isGpu() {
        return true;
    }

    @Override
    public CompiledProgram<RedactedBatch> compile(CompiledRules rules, byte[] hashKey)
            throws BackendException {
        return slowed(super.compile(rules, hashKey), SampleBatch.logLines());
    }

    @Override
    public CompiledProgram<GroupedBatch> compile(AggregatePlan plan) throws BackendException {
        return slowed(super.compile(plan), SampleBatch.aggregates(plan));
    }

    @Override
    public CompiledProgram<LineGroups> compile(LinePlan plan) throws BackendException {
        return slowed(super.compile(plan), SampleBatch.lines(plan));
    }

    @Override
    public CompiledProgram<TransformedBatch> compile(PassPlan plan) throws BackendException {
        return slowed(super.compile(plan), SampleBatch.columns(plan.types()));
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
