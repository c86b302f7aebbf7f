package io.flinkgpu.backend.cpu;

import io.flinkgpu.backend.Backend;
import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.CompiledProgram;
import io.flinkgpu.backend.Engines;
import io.flinkgpu.backend.OpenRequest;
import io.flinkgpu.backend.Placement;
import io.flinkgpu.backend.Plan;
import io.flinkgpu.backend.cpu.aggregate.CpuAggregation;
import io.flinkgpu.backend.cpu.lines.CpuLines;
import io.flinkgpu.backend.cpu.lookup.CpuEmbeddings;
import io.flinkgpu.backend.cpu.lookup.CpuScores;
import io.flinkgpu.backend.cpu.redact.CpuRedaction;
import io.flinkgpu.backend.cpu.row.StringProgram;
import io.flinkgpu.backend.cpu.search.CpuSearch;
import io.flinkgpu.backend.cpu.transform.CpuTransform;
import io.flinkgpu.backend.plan.AggregatePlan;
import io.flinkgpu.backend.plan.EmbeddingPlan;
import io.flinkgpu.backend.plan.LinePlan;
import io.flinkgpu.backend.plan.PassPlan;
import io.flinkgpu.backend.plan.RedactPlan;
import io.flinkgpu.backend.plan.ScorePlan;
import io.flinkgpu.backend.plan.SearchPlan;
import io.flinkgpu.backend.plan.TransformPlan;
import io.flinkgpu.backend.steps.Steps;
import io.flinkgpu.backend.views.ViewedRedaction;

import org.apache.flink.annotation.Internal;

import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;

/** Runs plans in plain Java: the oracle of the GPU backend, and the default without a GPU. */
@Internal
public final class CpuBackend implements Backend {

    private final BufferAllocator allocator;
    private final Engines engines;

    private CpuBackend(BufferAllocator allocator, byte[] hashKey) {
        this.allocator = allocator;
        engines =
                Engines.of(
                                RedactPlan.class,
                                plan ->
                                        ViewedRedaction.compile(
                                                plan,
                                                allocator,
                                                hashKey,
                                                rules ->
                                                        new CpuRedaction(
                                                                allocator, rules, hashKey)))
                        .and(AggregatePlan.class, plan -> new CpuAggregation(allocator, plan))
                        .and(LinePlan.class, plan -> new CpuLines(allocator, plan))
                        .and(PassPlan.class, plan -> new CpuTransform(allocator, plan))
                        .and(EmbeddingPlan.class, plan -> new CpuEmbeddings(allocator, plan))
                        .and(ScorePlan.class, plan -> new CpuScores(allocator, plan))
                        .and(SearchPlan.class, CpuSearch::new)
                        .and(
                                TransformPlan.class,
                                plan -> Steps.compile(this, plan, hashKey, StringProgram::of));
    }

    /** Opens a backend. The caller closes it. */
    public static CpuBackend open(OpenRequest request) {
        return new CpuBackend(new RootAllocator(request.memoryLimitBytes()), request.hashKey());
    }

    @Override
    public Placement placement() {
        return Placement.ON_CPU;
    }

    @Override
    public BufferAllocator allocator() {
        return allocator;
    }

    @Override
    public <R extends AutoCloseable> CompiledProgram<R> compile(Plan<R> plan)
            throws BackendException {
        return engines.compile(plan, placement());
    }

    @Override
    public void close() {
        allocator.close();
    }
}
