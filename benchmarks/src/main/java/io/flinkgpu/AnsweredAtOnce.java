package io.flinkgpu;

import io.flinkgpu.api.GpuOptions;
import io.flinkgpu.api.ValueGetter;
import io.flinkgpu.api.lookup.LookupRequest;
import io.flinkgpu.api.lookup.VectorChange;
import io.flinkgpu.backend.Backend;
import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.CompiledProgram;
import io.flinkgpu.backend.ForwardingBackend;
import io.flinkgpu.backend.ForwardingProgram;
import io.flinkgpu.backend.Plan;
import io.flinkgpu.backend.Submission;
import io.flinkgpu.backend.cpu.CpuBackend;
import io.flinkgpu.backend.plan.ScoredRows;
import io.flinkgpu.backend.plan.TransformedBatch;
import io.flinkgpu.column.ColumnBatch;

import org.apache.flink.streaming.api.datastream.DataStream;

/** Lookups whose batches get scores that mean nothing, at once: what is left is the host's part of a job. */
public final class AnsweredAtOnce extends ForwardingBackend {

    private AnsweredAtOnce(Backend backend) {
        super(backend);
    }

    /** As {@link GpuStreams#lookup}, for a model of one output. */
    public static <Q, C> LookupStream<Q, C> lookup(
            DataStream<Q> requests,
            ValueGetter<Q, LookupRequest> request,
            DataStream<C> changes,
            ValueGetter<C, VectorChange> change,
            GpuOptions options) {
        return LookupStream.of(
                requests,
                request,
                changes,
                change,
                options,
                asked -> new AnsweredAtOnce(CpuBackend.open(asked)));
    }

    @Override
    @SuppressWarnings("unchecked") // Plans of lookups alone get here.
    public <R extends AutoCloseable> CompiledProgram<R> compile(Plan<R> plan)
            throws BackendException {
        return (CompiledProgram<R>)
                new Answers((CompiledProgram<TransformedBatch>) super.compile(plan), this);
    }

    private static final class Answers extends ForwardingProgram<TransformedBatch> {

        private final Backend backend;

        Answers(CompiledProgram<TransformedBatch> program, Backend backend) {
            super(program);
            this.backend = backend;
        }

        @Override
        public Submission<TransformedBatch> submit(ColumnBatch batch) {
            return () -> {
                try (ScoredRows scores = new ScoredRows(backend.allocator(), batch.rows(), 1)) {
                    return new TransformedBatch(scores.build(), 0);
                }
            };
        }
    }
}
