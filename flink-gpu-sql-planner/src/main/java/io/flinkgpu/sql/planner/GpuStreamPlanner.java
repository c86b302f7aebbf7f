package io.flinkgpu.sql.planner;

import org.apache.flink.annotation.Internal;
import org.apache.flink.api.dag.Transformation;
import org.apache.flink.table.api.ExplainDetail;
import org.apache.flink.table.api.ExplainFormat;
import org.apache.flink.table.delegation.InternalPlan;
import org.apache.flink.table.delegation.PlannerFactory;
import org.apache.flink.table.operations.Operation;
import org.apache.flink.table.planner.delegation.StreamPlanner;
import org.apache.flink.table.planner.plan.ExecNodeGraphInternalPlan;
import org.apache.flink.table.planner.plan.nodes.exec.ExecNodeGraph;

import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rex.RexBuilder;

import java.util.List;
import java.util.function.Supplier;

/**
 * Flink's planner of streaming SQL, which swaps nodes of a plan just before they become operators. What it
 * parses, optimizes and compiles is Flink's: a compiled plan has no trace of it, and is swapped, and
 * swapped back, each time that it is translated.
 */
@Internal
public final class GpuStreamPlanner extends StreamPlanner {

    /** Of the plan translated last; null before. */
    private Acceleration last;

    public GpuStreamPlanner(PlannerFactory.Context context) {
        super(
                context.getExecutor(),
                context.getTableConfig(),
                context.getModuleManager(),
                context.getFunctionCatalog(),
                context.getCatalogManager(),
                context.getClassLoader());
    }

    @Override
    public ExecNodeGraph translateToExecNodeGraph(
            scala.collection.Seq<RelNode> optimizedRelNodes, boolean isCompiled) {
        ExecNodeGraph graph = super.translateToExecNodeGraph(optimizedRelNodes, isCompiled);
        return isCompiled || !settings().enabled() ? graph : accelerate(graph, false).graph(graph);
    }

    @Override
    public List<Transformation<?>> translatePlan(InternalPlan plan) {
        return accelerated(plan, () -> super.translatePlan(plan));
    }

    @Override
    @SuppressWarnings("overrides") // Scala's method has an array where the interface has "...".
    public String explainPlan(InternalPlan plan, ExplainDetail... extraDetails) {
        return accelerated(plan, () -> super.explainPlan(plan, extraDetails)) + section();
    }

    @Override
    @SuppressWarnings("overrides") // Scala's method has an array where the interface has "...".
    public String explain(
            List<Operation> operations, ExplainFormat format, ExplainDetail... extraDetails) {
        return super.explain(operations, format, extraDetails) + section();
    }

    private <T> T accelerated(InternalPlan plan, Supplier<T> translation) {
        if (!settings().enabled()) {
            return translation.get();
        }
        ExecNodeGraph graph = ((ExecNodeGraphInternalPlan) plan).getExecNodeGraph();
        Acceleration acceleration = accelerate(graph, true);
        try {
            return translation.get();
        } finally {
            acceleration.undo();
        }
    }

    private Acceleration accelerate(ExecNodeGraph graph, boolean compiled) {
        Settings settings = settings();
        Acceleration acceleration =
                Acceleration.of(
                        graph,
                        settings,
                        getFlinkContext(),
                        new RexBuilder(getTypeFactory()),
                        compiled);
        last = acceleration;
        if (settings.strict()) {
            acceleration.report().requireNoTextLeft();
        }
        return acceleration;
    }

    private String section() {
        Settings settings = settings();
        return settings.enabled()
                ? last.report().section(settings.explained(), settings.explainFormat())
                : "";
    }

    /** How the nodes of the plan run that was translated last. */
    Report report() {
        return last.report();
    }

    private Settings settings() {
        return Settings.of(getTableConfig());
    }
}
