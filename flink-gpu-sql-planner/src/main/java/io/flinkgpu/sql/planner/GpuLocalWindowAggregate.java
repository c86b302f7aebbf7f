package io.flinkgpu.sql.planner;

import io.flinkgpu.sql.aggregate.LinesAggregation;
import io.flinkgpu.sql.aggregate.LocalAggregation;
import io.flinkgpu.sql.aggregate.TableWindowBuffer;
import io.flinkgpu.sql.connector.SameRow;

import org.apache.flink.api.dag.Transformation;
import org.apache.flink.streaming.api.operators.SimpleOperatorFactory;
import org.apache.flink.streaming.api.operators.StreamMap;
import org.apache.flink.streaming.api.transformations.OneInputTransformation;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.planner.calcite.FlinkTypeFactory;
import org.apache.flink.table.planner.delegation.PlannerBase;
import org.apache.flink.table.planner.plan.logical.WindowingStrategy;
import org.apache.flink.table.planner.plan.nodes.exec.ExecNode;
import org.apache.flink.table.planner.plan.nodes.exec.ExecNodeConfig;
import org.apache.flink.table.planner.plan.nodes.exec.ExecNodeContext;
import org.apache.flink.table.planner.plan.nodes.exec.stream.StreamExecLocalWindowAggregate;
import org.apache.flink.table.planner.plan.nodes.exec.stream.StreamExecWindowAggregateBase;
import org.apache.flink.table.planner.plan.nodes.exec.utils.ExecNodeUtil;
import org.apache.flink.table.planner.plan.utils.AggregateUtil;
import org.apache.flink.table.planner.utils.JavaScalaConversionUtil;
import org.apache.flink.table.runtime.keyselector.RowDataKeySelector;
import org.apache.flink.table.runtime.operators.aggregate.window.LocalSlicingWindowAggOperator;
import org.apache.flink.table.runtime.operators.window.tvf.slicing.SliceAssigner;
import org.apache.flink.table.runtime.typeutils.InternalTypeInfo;
import org.apache.flink.table.types.logical.RowType;

import org.apache.calcite.rel.core.AggregateCall;

import java.time.ZoneId;
import java.util.List;
import java.util.Optional;

/**
 * The local half of a window aggregation: Flink's operator, with its key, slices, time zone and times of sending,
 * and a buffer of groups in the place of the one of rows.
 */
final class GpuLocalWindowAggregate extends StreamExecLocalWindowAggregate
        implements InPlaceReader {

    private final LocalAggregation aggregation;
    private List<ExecNode<?>> inPlace = List.of();

    /** Whether what reads the lines aggregates them, so that rows are what this would give. */
    private boolean isOfLines;

    /** What a node of Flink aggregates; its fields are not public. */
    private record Fields(
            int[] grouping,
            AggregateCall[] calls,
            WindowingStrategy windowing,
            boolean needRetraction) {

        static Fields of(StreamExecLocalWindowAggregate node) {
            return new Fields(
                    field(node, FIELD_NAME_GROUPING, int[].class),
                    field(node, FIELD_NAME_AGG_CALLS, AggregateCall[].class),
                    field(node, FIELD_NAME_WINDOWING, WindowingStrategy.class),
                    field(node, FIELD_NAME_NEED_RETRACTION, Boolean.class));
        }

        private static <T> T field(
                StreamExecLocalWindowAggregate node, String name, Class<T> type) {
            return FlinkFields.get(node, StreamExecLocalWindowAggregate.class, name, type);
        }
    }

    private GpuLocalWindowAggregate(
            StreamExecLocalWindowAggregate original,
            Fields fields,
            LocalAggregation aggregation,
            boolean compiled) {
        super(
                original.getId(),
                ExecNodeContext.newContext(StreamExecLocalWindowAggregate.class),
                original.getPersistedConfig(),
                fields.grouping,
                fields.calls,
                fields.windowing,
                fields.needRetraction,
                original.getInputProperties(),
                (RowType) original.getOutputType(),
                "Gpu" + original.getDescription());
        this.aggregation = aggregation;
        setCompiled(compiled);
    }

    /** Plans a node of Flink. */
    static AggregatePlan plan(
            StreamExecLocalWindowAggregate node, Settings settings, FlinkTypeFactory types) {
        Fields fields = Fields.of(node);
        RowType input = (RowType) node.getInputEdges().get(0).getOutputType();
        return AggregatePlan.of(
                node.getId(),
                AggregatePlan.LOCAL_WINDOW,
                fields.grouping,
                input,
                AggregateUtil.deriveStreamWindowAggregateInfoList(
                        types,
                        input,
                        JavaScalaConversionUtil.toScala(List.of(fields.calls)),
                        fields.needRetraction,
                        fields.windowing.getWindow(),
                        false),
                AggregatePlan.reasons(fields.needRetraction, List.of()),
                settings);
    }

    /** The node that stands for one of Flink's. */
    static GpuLocalWindowAggregate of(
            StreamExecLocalWindowAggregate original,
            LocalAggregation aggregation,
            boolean compiled) {
        return new GpuLocalWindowAggregate(original, Fields.of(original), aggregation, compiled);
    }

    /** How this could be done by what reads these lines; nothing if not. */
    Optional<LinesAggregation> ofLines(LineWindows lines) {
        Fields fields = Fields.of(this);
        return lines.aggregation(fields.grouping, fields.windowing, aggregation);
    }

    /** Leaves the aggregation to what is before, and passes its rows on. */
    void setOfLines() {
        isOfLines = true;
    }

    @Override
    public void readInPlace(List<ExecNode<?>> nodes) {
        inPlace = List.copyOf(nodes);
    }

    @Override
    @SuppressWarnings("unchecked") // As in Flink's own nodes: inputs are rows.
    protected Transformation<RowData> translateToPlanInternal(
            PlannerBase planner, ExecNodeConfig config) {
        if (isOfLines) {
            Transformation<RowData> input =
                    (Transformation<RowData>) getInputEdges().get(0).translateToPlan(planner);
            return ExecNodeUtil.createOneInputTransformation(
                    input,
                    createTransformationMeta(LOCAL_WINDOW_AGGREGATE_TRANSFORMATION, config),
                    SimpleOperatorFactory.of(new StreamMap<>(new SameRow())),
                    InternalTypeInfo.of(getOutputType()),
                    input.getParallelism(),
                    false);
        }
        InPlaceReader.passInPlace(inPlace, planner);
        OneInputTransformation<RowData, RowData> flinks =
                (OneInputTransformation<RowData, RowData>)
                        super.translateToPlanInternal(planner, config);
        LocalSlicingWindowAggOperator operator =
                (LocalSlicingWindowAggOperator) flinks.getOperator();
        return ExecNodeUtil.createOneInputTransformation(
                flinks.getInputs().get(0),
                createTransformationMeta(LOCAL_WINDOW_AGGREGATE_TRANSFORMATION, config),
                SimpleOperatorFactory.of(
                        new LocalSlicingWindowAggOperator(
                                LocalKeys.of(
                                        field(operator, "keySelector", RowDataKeySelector.class),
                                        Fields.of(this).grouping,
                                        this),
                                field(operator, "sliceAssigner", SliceAssigner.class),
                                new TableWindowBuffer.Factory(aggregation),
                                field(operator, "shiftTimezone", ZoneId.class))),
                InternalTypeInfo.of(getOutputType()),
                flinks.getParallelism(),
                StreamExecWindowAggregateBase.WINDOW_AGG_MEMORY_RATIO / 2,
                false);
    }

    private static <T> T field(LocalSlicingWindowAggOperator operator, String name, Class<T> type) {
        return FlinkFields.get(operator, LocalSlicingWindowAggOperator.class, name, type);
    }
}
