package io.flinkgpu.sql.planner;

import io.flinkgpu.api.GpuOptions;
import io.flinkgpu.sql.operator.CalcOperators;
import io.flinkgpu.sql.operator.CalcSpec;

import org.apache.flink.api.dag.Transformation;
import org.apache.flink.streaming.api.transformations.LegacySourceTransformation;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.planner.delegation.PlannerBase;
import org.apache.flink.table.planner.plan.nodes.exec.ExecNodeBase;
import org.apache.flink.table.planner.plan.nodes.exec.ExecNodeConfig;
import org.apache.flink.table.planner.plan.nodes.exec.ExecNodeContext;
import org.apache.flink.table.planner.plan.nodes.exec.SingleTransformationTranslator;
import org.apache.flink.table.planner.plan.nodes.exec.common.CommonExecCalc;
import org.apache.flink.table.planner.plan.nodes.exec.stream.StreamExecCalc;
import org.apache.flink.table.planner.plan.nodes.exec.stream.StreamExecNode;
import org.apache.flink.table.planner.plan.nodes.exec.utils.ExecNodeUtil;
import org.apache.flink.table.runtime.typeutils.InternalTypeInfo;

/**
 * A Calc of which some columns are computed in batches. It stands in the place of one of Flink's, with that one's
 * id and type, and is one operator as that is, so that savepoints of each restore into the other.
 */
final class GpuCalc extends ExecNodeBase<RowData>
        implements StreamExecNode<RowData>, SingleTransformationTranslator<RowData> {

    private final StreamExecCalc original;
    private final CalcPlan plan;
    private final GpuOptions options;
    private boolean isFlinks;

    GpuCalc(StreamExecCalc original, CalcPlan plan, GpuOptions options, boolean compiled) {
        super(
                original.getId(),
                ExecNodeContext.newContext(StreamExecCalc.class),
                original.getPersistedConfig(),
                original.getInputProperties(),
                original.getOutputType(),
                "Gpu" + original.getDescription());
        this.original = original;
        this.plan = plan;
        this.options = options;
        setCompiled(compiled);
    }

    @Override
    @SuppressWarnings("unchecked") // As in Flink's own nodes: inputs are rows.
    protected Transformation<RowData> translateToPlanInternal(
            PlannerBase planner, ExecNodeConfig config) {
        Transformation<RowData> input =
                (Transformation<RowData>) getInputEdges().get(0).translateToPlan(planner);
        if (isLegacy(input)) {
            // A yielding operator cannot be chained to such a source, and then ids would change.
            isFlinks = true;
            return original.translateToPlan(planner);
        }
        CalcSpec spec =
                new CalcCode(plan, CalcFields.of(original), original, config, planner).spec();
        return ExecNodeUtil.createOneInputTransformation(
                input,
                createTransformationMeta(CommonExecCalc.CALC_TRANSFORMATION, config),
                CalcOperators.of(spec, options),
                InternalTypeInfo.of(getOutputType()),
                input.getParallelism(),
                false);
    }

    /** What of it runs in batches. */
    CalcPlan plan() {
        return plan;
    }

    /** How it runs, as far as that is known before it is translated. */
    NodeReport report() {
        return isFlinks
                ? plan.report().flinks("its source is a SourceFunction, which no batches chain to")
                : plan.report();
    }

    private static boolean isLegacy(Transformation<?> input) {
        return input.getTransitivePredecessors().stream()
                .anyMatch(LegacySourceTransformation.class::isInstance);
    }
}
