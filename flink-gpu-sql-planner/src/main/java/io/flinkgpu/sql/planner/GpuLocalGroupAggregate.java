package io.flinkgpu.sql.planner;

import io.flinkgpu.sql.aggregate.LocalAggregation;
import io.flinkgpu.sql.aggregate.LocalGroupOperator;

import org.apache.flink.api.dag.Transformation;
import org.apache.flink.api.java.functions.KeySelector;
import org.apache.flink.streaming.api.transformations.OneInputTransformation;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.planner.calcite.FlinkTypeFactory;
import org.apache.flink.table.planner.delegation.PlannerBase;
import org.apache.flink.table.planner.plan.nodes.exec.ExecNode;
import org.apache.flink.table.planner.plan.nodes.exec.ExecNodeConfig;
import org.apache.flink.table.planner.plan.nodes.exec.ExecNodeContext;
import org.apache.flink.table.planner.plan.nodes.exec.stream.StreamExecLocalGroupAggregate;
import org.apache.flink.table.planner.plan.nodes.exec.utils.ExecNodeUtil;
import org.apache.flink.table.planner.plan.utils.AggregateUtil;
import org.apache.flink.table.planner.utils.JavaScalaConversionUtil;
import org.apache.flink.table.runtime.operators.bundle.MapBundleOperator;
import org.apache.flink.table.runtime.operators.bundle.trigger.BundleTrigger;
import org.apache.flink.table.runtime.typeutils.InternalTypeInfo;
import org.apache.flink.table.types.logical.RowType;

import org.apache.calcite.rel.core.AggregateCall;

import java.util.List;

/** The local half of an aggregation of mini-batches, with Flink's key and Flink's times of sending. */
final class GpuLocalGroupAggregate extends StreamExecLocalGroupAggregate implements InPlaceReader {

    private final LocalAggregation aggregation;
    private List<ExecNode<?>> inPlace = List.of();

    /** What a node of Flink aggregates; its fields are not public. */
    private record Fields(
            int[] grouping,
            AggregateCall[] calls,
            boolean[] callsNeedRetraction,
            boolean needRetraction) {

        static Fields of(StreamExecLocalGroupAggregate node) {
            return new Fields(
                    field(node, FIELD_NAME_GROUPING, int[].class),
                    field(node, FIELD_NAME_AGG_CALLS, AggregateCall[].class),
                    field(node, FIELD_NAME_AGG_CALL_NEED_RETRACTIONS, boolean[].class),
                    field(node, FIELD_NAME_NEED_RETRACTION, Boolean.class));
        }

        private static <T> T field(StreamExecLocalGroupAggregate node, String name, Class<T> type) {
            return FlinkFields.get(node, StreamExecLocalGroupAggregate.class, name, type);
        }
    }

    private GpuLocalGroupAggregate(
            StreamExecLocalGroupAggregate original,
            Fields fields,
            LocalAggregation aggregation,
            boolean compiled) {
        super(
                original.getId(),
                ExecNodeContext.newContext(StreamExecLocalGroupAggregate.class),
                original.getPersistedConfig(),
                fields.grouping,
                fields.calls,
                fields.callsNeedRetraction,
                fields.needRetraction,
                original.getInputProperties(),
                (RowType) original.getOutputType(),
                "Gpu" + original.getDescription());
        this.aggregation = aggregation;
        setCompiled(compiled);
    }

    /** Plans a node of Flink. */
    static AggregatePlan plan(
            StreamExecLocalGroupAggregate node, Settings settings, FlinkTypeFactory types) {
        Fields fields = Fields.of(node);
        RowType input = (RowType) node.getInputEdges().get(0).getOutputType();
        return AggregatePlan.of(
                node.getId(),
                AggregatePlan.LOCAL_GROUP,
                fields.grouping,
                input,
                AggregateUtil.transformToStreamAggregateInfoList(
                        types,
                        input,
                        JavaScalaConversionUtil.toScala(List.of(fields.calls)),
                        fields.callsNeedRetraction,
                        fields.needRetraction,
                        false,
                        true),
                AggregatePlan.reasons(fields.needRetraction, List.of()),
                settings);
    }

    /** The node that stands for one of Flink's. */
    static GpuLocalGroupAggregate of(
            StreamExecLocalGroupAggregate original,
            LocalAggregation aggregation,
            boolean compiled) {
        return new GpuLocalGroupAggregate(original, Fields.of(original), aggregation, compiled);
    }

    @Override
    public void readInPlace(List<ExecNode<?>> nodes) {
        inPlace = List.copyOf(nodes);
    }

    @Override
    @SuppressWarnings("unchecked") // As in Flink's own nodes: inputs are rows.
    protected Transformation<RowData> translateToPlanInternal(
            PlannerBase planner, ExecNodeConfig config) {
        InPlaceReader.passInPlace(inPlace, planner);
        OneInputTransformation<RowData, RowData> flinks =
                (OneInputTransformation<RowData, RowData>)
                        super.translateToPlanInternal(planner, config);
        MapBundleOperator<?, ?, ?, ?> operator =
                (MapBundleOperator<?, ?, ?, ?>) flinks.getOperator();
        return ExecNodeUtil.createOneInputTransformation(
                flinks.getInputs().get(0),
                createTransformationMeta(LOCAL_GROUP_AGGREGATE_TRANSFORMATION, config),
                new LocalGroupOperator(
                        aggregation,
                        FlinkFields.get(
                                operator,
                                MapBundleOperator.class.getSuperclass(),
                                "bundleTrigger",
                                BundleTrigger.class),
                        LocalKeys.of(
                                FlinkFields.get(
                                        operator,
                                        MapBundleOperator.class,
                                        "keySelector",
                                        KeySelector.class),
                                Fields.of(this).grouping,
                                this)),
                InternalTypeInfo.of(getOutputType()),
                flinks.getParallelism(),
                false);
    }
}
