package io.flinkgpu.sql.planner;

import io.flinkgpu.sql.connector.SameRow;

import org.apache.flink.api.dag.Transformation;
import org.apache.flink.streaming.api.operators.SimpleOperatorFactory;
import org.apache.flink.streaming.api.operators.StreamMap;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.planner.delegation.PlannerBase;
import org.apache.flink.table.planner.plan.nodes.exec.ExecNode;
import org.apache.flink.table.planner.plan.nodes.exec.ExecNodeBase;
import org.apache.flink.table.planner.plan.nodes.exec.ExecNodeConfig;
import org.apache.flink.table.planner.plan.nodes.exec.ExecNodeContext;
import org.apache.flink.table.planner.plan.nodes.exec.SingleTransformationTranslator;
import org.apache.flink.table.planner.plan.nodes.exec.common.CommonExecCalc;
import org.apache.flink.table.planner.plan.nodes.exec.stream.StreamExecCalc;
import org.apache.flink.table.planner.plan.nodes.exec.stream.StreamExecNode;
import org.apache.flink.table.planner.plan.nodes.exec.utils.ExecNodeUtil;

import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;

import java.util.List;

/**
 * A Calc between lines and their windows that only puts columns in another order, where the windows' groups pass through
 * it: it stays an operator, with the id of Flink's, and does nothing.
 */
final class PassedCalc extends ExecNodeBase<RowData>
        implements StreamExecNode<RowData>, SingleTransformationTranslator<RowData> {

    /**
     * @param groups the node that would make what passes
     */
    PassedCalc(StreamExecCalc original, ExecNode<?> groups, boolean compiled) {
        super(
                original.getId(),
                ExecNodeContext.newContext(StreamExecCalc.class),
                original.getPersistedConfig(),
                original.getInputProperties(),
                groups.getOutputType(),
                original.getDescription());
        setCompiled(compiled);
    }

    /** For each column that a node gives the one of its input; null if it does anything else. */
    static int[] columns(ExecNode<?> node) {
        if (node.getClass() != StreamExecCalc.class) {
            return null;
        }
        CalcFields calc = CalcFields.of((StreamExecCalc) node);
        List<RexNode> projection = calc.projection();
        return calc.condition() == null
                        && projection.stream().allMatch(RexInputRef.class::isInstance)
                ? projection.stream().mapToInt(it -> ((RexInputRef) it).getIndex()).toArray()
                : null;
    }

    @Override
    @SuppressWarnings("unchecked") // As in Flink's own nodes: inputs are rows.
    protected Transformation<RowData> translateToPlanInternal(
            PlannerBase planner, ExecNodeConfig config) {
        Transformation<RowData> input =
                (Transformation<RowData>) getInputEdges().get(0).translateToPlan(planner);
        return ExecNodeUtil.createOneInputTransformation(
                input,
                createTransformationMeta(CommonExecCalc.CALC_TRANSFORMATION, config),
                SimpleOperatorFactory.of(new StreamMap<>(new SameRow())),
                InPlaceReader.inPlace(this),
                input.getParallelism(),
                false);
    }
}
