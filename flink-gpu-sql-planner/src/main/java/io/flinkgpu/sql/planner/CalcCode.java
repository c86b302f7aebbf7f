package io.flinkgpu.sql.planner;

import io.flinkgpu.sql.operator.Argument;
import io.flinkgpu.sql.operator.CalcSpec;
import io.flinkgpu.sql.operator.FlinkPart;

import org.apache.flink.api.common.functions.FlatMapFunction;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.binary.BinaryRowData;
import org.apache.flink.table.planner.codegen.CalcCodeGenerator$;
import org.apache.flink.table.planner.delegation.PlannerBase;
import org.apache.flink.table.planner.plan.nodes.exec.ExecNodeConfig;
import org.apache.flink.table.planner.plan.nodes.exec.stream.StreamExecCalc;
import org.apache.flink.table.planner.utils.JavaScalaConversionUtil;
import org.apache.flink.table.runtime.generated.GeneratedFunction;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.RowType;

import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** Has Flink generate the code for what of a Calc does not run in batches. */
final class CalcCode {

    private final CalcPlan plan;
    private final CalcFields fields;
    private final RowType input;
    private final RowType output;
    private final ExecNodeConfig config;
    private final ClassLoader classLoader;

    CalcCode(
            CalcPlan plan,
            CalcFields fields,
            StreamExecCalc calc,
            ExecNodeConfig config,
            PlannerBase planner) {
        this.plan = plan;
        this.fields = fields;
        this.input = (RowType) calc.getInputEdges().get(0).getOutputType();
        this.output = (RowType) calc.getOutputType();
        this.config = config;
        this.classLoader = planner.getFlinkContext().getClassLoader();
    }

    /** The operator. */
    CalcSpec spec() {
        List<RexNode> kept = new ArrayList<>();
        List<LogicalType> keptTypes = new ArrayList<>();
        List<Integer> outputs = new ArrayList<>();
        for (int i = 0; i < output.getFieldCount(); i++) {
            int result = plan.computed().indexOf(i);
            outputs.add(result >= 0 ? -1 - result : kept.size());
            if (result < 0) {
                kept.add(fields.projection().get(i));
                keptTypes.add(output.getTypeAt(i));
            }
        }
        List<Argument> arguments = new ArrayList<>();
        for (Arguments.Column column : plan.arguments()) {
            boolean computed = column.node != null;
            arguments.add(
                    new Argument(
                            computed,
                            computed ? kept.size() : column.index,
                            column.type,
                            column.check()));
            if (computed) {
                kept.add(column.node);
                keptTypes.add(column.type);
            }
        }
        return new CalcSpec(plan.program(), arguments, part(kept, keptTypes), outputs);
    }

    private FlinkPart part(List<RexNode> kept, List<LogicalType> keptTypes) {
        boolean computes = !kept.stream().allMatch(RexInputRef.class::isInstance);
        GeneratedFunction<FlatMapFunction<RowData, RowData>> function = null;
        if (computes) {
            function =
                    function(
                            "CalcOfFlink",
                            kept,
                            fields.condition(),
                            RowType.of(keptTypes.toArray(LogicalType[]::new)),
                            BinaryRowData.class);
        } else if (fields.condition() != null) {
            function =
                    function("Filter", inputs(), fields.condition(), input, GenericRowData.class);
        }
        List<Integer> columns =
                computes
                        ? List.of()
                        : kept.stream().map(node -> ((RexInputRef) node).getIndex()).toList();
        return new FlinkPart(
                function,
                computes,
                columns,
                columns.stream().map(input::getTypeAt).toList(),
                output.getChildren(),
                function("WholeCalc", fields.projection(), null, output, GenericRowData.class));
    }

    /** The columns of the input as they are, with which a function is a filter. */
    private List<RexNode> inputs() {
        return IntStream.range(0, input.getFieldCount())
                .mapToObj(i -> (RexNode) new RexInputRef(i, anyType()))
                .toList();
    }

    private RelDataType anyType() {
        return fields.condition().getType();
    }

    private GeneratedFunction<FlatMapFunction<RowData, RowData>> function(
            String name,
            List<RexNode> projection,
            RexNode condition,
            RowType type,
            Class<? extends RowData> rowClass) {
        return CalcCodeGenerator$.MODULE$.generateFunction(
                input,
                name,
                type,
                rowClass,
                JavaScalaConversionUtil.toScala(projection),
                JavaScalaConversionUtil.toScala(Optional.ofNullable(condition)),
                config,
                classLoader);
    }
}
