package io.flinkgpu.sql.planner;

import io.flinkgpu.sql.aggregate.LocalAggregation;
import io.flinkgpu.sql.aggregate.TableWindowBuffer;

import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.dag.Transformation;
import org.apache.flink.streaming.api.operators.SimpleOperatorFactory;
import org.apache.flink.streaming.api.transformations.OneInputTransformation;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.planner.calcite.FlinkTypeFactory;
import org.apache.flink.table.planner.codegen.CodeGeneratorContext;
import org.apache.flink.table.planner.codegen.agg.AggsHandlerCodeGenerator;
import org.apache.flink.table.planner.delegation.PlannerBase;
import org.apache.flink.table.planner.plan.logical.WindowingStrategy;
import org.apache.flink.table.planner.plan.nodes.exec.ExecNodeConfig;
import org.apache.flink.table.planner.plan.nodes.exec.ExecNodeContext;
import org.apache.flink.table.planner.plan.nodes.exec.stream.StreamExecWindowAggregate;
import org.apache.flink.table.planner.plan.nodes.exec.stream.StreamExecWindowAggregateBase;
import org.apache.flink.table.planner.plan.nodes.exec.utils.ExecNodeUtil;
import org.apache.flink.table.planner.plan.utils.AggregateInfoList;
import org.apache.flink.table.planner.plan.utils.AggregateUtil;
import org.apache.flink.table.planner.utils.JavaScalaConversionUtil;
import org.apache.flink.table.runtime.generated.GeneratedNamespaceAggsHandleFunction;
import org.apache.flink.table.runtime.groupwindow.NamedWindowProperty;
import org.apache.flink.table.runtime.operators.aggregate.window.buffers.WindowBuffer;
import org.apache.flink.table.runtime.operators.aggregate.window.processors.AbstractSliceSyncStateWindowAggProcessor;
import org.apache.flink.table.runtime.operators.aggregate.window.processors.SliceSharedSyncStateWindowAggProcessor;
import org.apache.flink.table.runtime.operators.aggregate.window.processors.SliceUnsharedSyncStateWindowAggProcessor;
import org.apache.flink.table.runtime.operators.aggregate.window.processors.WindowAggProcessorBase;
import org.apache.flink.table.runtime.operators.window.tvf.common.SyncStateWindowProcessor;
import org.apache.flink.table.runtime.operators.window.tvf.common.WindowAggOperator;
import org.apache.flink.table.runtime.operators.window.tvf.slicing.SliceAssigner;
import org.apache.flink.table.runtime.operators.window.tvf.slicing.SliceSharedAssigner;
import org.apache.flink.table.runtime.operators.window.tvf.slicing.SliceUnsharedAssigner;
import org.apache.flink.table.runtime.typeutils.InternalTypeInfo;
import org.apache.flink.table.types.logical.RowType;

import org.apache.calcite.rel.core.AggregateCall;

import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;

/**
 * A window aggregation without a local half: Flink's operator, with its key, slices, time zone, state, timers and late
 * rows, and a buffer of groups in the place of the one of rows.
 */
final class GpuWindowAggregate extends StreamExecWindowAggregate {

    private final Fields fields;
    private final LocalAggregation aggregation;

    /** What a node of Flink aggregates; its fields are not public. */
    @SuppressWarnings("deprecation") // Flink's own nodes have these properties.
    private record Fields(
            int[] grouping,
            AggregateCall[] calls,
            WindowingStrategy windowing,
            NamedWindowProperty[] properties,
            boolean needRetraction) {

        static Fields of(StreamExecWindowAggregate node) {
            return new Fields(
                    field(node, FIELD_NAME_GROUPING, int[].class),
                    field(node, FIELD_NAME_AGG_CALLS, AggregateCall[].class),
                    field(node, FIELD_NAME_WINDOWING, WindowingStrategy.class),
                    field(node, FIELD_NAME_NAMED_WINDOW_PROPERTIES, NamedWindowProperty[].class),
                    field(node, FIELD_NAME_NEED_RETRACTION, Boolean.class));
        }

        private static <T> T field(StreamExecWindowAggregate node, String name, Class<T> type) {
            return FlinkFields.get(node, StreamExecWindowAggregate.class, name, type);
        }

        AggregateInfoList infos(FlinkTypeFactory types, RowType input) {
            return AggregateUtil.deriveStreamWindowAggregateInfoList(
                    types,
                    input,
                    JavaScalaConversionUtil.toScala(List.of(calls)),
                    needRetraction,
                    windowing.getWindow(),
                    true);
        }
    }

    private GpuWindowAggregate(
            StreamExecWindowAggregate original,
            Fields fields,
            LocalAggregation aggregation,
            boolean compiled) {
        super(
                original.getId(),
                ExecNodeContext.newContext(StreamExecWindowAggregate.class),
                original.getPersistedConfig(),
                fields.grouping,
                fields.calls,
                fields.windowing,
                fields.properties,
                fields.needRetraction,
                original.getInputProperties(),
                (RowType) original.getOutputType(),
                "Gpu" + original.getDescription());
        this.fields = fields;
        this.aggregation = aggregation;
        setCompiled(compiled);
    }

    /** Plans a node of Flink. */
    static AggregatePlan plan(
            StreamExecWindowAggregate node, Settings settings, FlinkTypeFactory types) {
        Fields fields = Fields.of(node);
        RowType input = input(node);
        List<String> reasons = new ArrayList<>();
        if (!fields.windowing.getWindow().isAlignedWindow()) {
            reasons.add("each row of a session goes into state as it comes, there is no buffer");
        }
        if (!fields.windowing.isRowtime()) {
            reasons.add("processing time");
        }
        if (settings.asyncState()) {
            reasons.add("table.exec.async-state.enabled = true, which has buffers of its own");
        }
        return AggregatePlan.of(
                node.getId(),
                AggregatePlan.WINDOW,
                fields.grouping,
                input,
                fields.infos(types, input),
                AggregatePlan.reasons(fields.needRetraction, reasons),
                settings);
    }

    private static RowType input(StreamExecWindowAggregate node) {
        return (RowType) node.getInputEdges().get(0).getOutputType();
    }

    /** The node that stands for one of Flink's. */
    static GpuWindowAggregate of(
            StreamExecWindowAggregate original, LocalAggregation aggregation, boolean compiled) {
        return new GpuWindowAggregate(original, Fields.of(original), aggregation, compiled);
    }

    @Override
    @SuppressWarnings("unchecked") // As in Flink's own nodes: inputs are rows.
    protected Transformation<RowData> translateToPlanInternal(
            PlannerBase planner, ExecNodeConfig config) {
        OneInputTransformation<RowData, RowData> flinks =
                (OneInputTransformation<RowData, RowData>)
                        super.translateToPlanInternal(planner, config);
        AggregateInfoList infos = fields.infos(planner.getTypeFactory(), input(this));
        WindowBuffer.Factory buffers =
                new TableWindowBuffer.StateFactory(aggregation, merging(infos, planner, config));
        SyncStateWindowProcessor<Long> processor =
                processor(
                        FlinkFields.get(
                                flinks.getOperator(),
                                WindowAggOperator.class,
                                "windowProcessor",
                                AbstractSliceSyncStateWindowAggProcessor.class),
                        buffers,
                        infos.getIndexOfCountStar());
        OneInputTransformation<RowData, RowData> ours =
                ExecNodeUtil.createOneInputTransformation(
                        (Transformation<RowData>) flinks.getInputs().get(0),
                        createTransformationMeta(WINDOW_AGGREGATE_TRANSFORMATION, config),
                        SimpleOperatorFactory.of(new WindowAggOperator<>(processor, true)),
                        InternalTypeInfo.of(getOutputType()),
                        flinks.getParallelism(),
                        StreamExecWindowAggregateBase.WINDOW_AGG_MEMORY_RATIO,
                        false);
        ours.setStateKeySelector(flinks.getStateKeySelector());
        ours.setStateKeyType(flinks.getStateKeyType());
        return ours;
    }

    /** Flink's function that merges accumulators, which it has itself only where windows share slices. */
    private GeneratedNamespaceAggsHandleFunction<Long> merging(
            AggregateInfoList infos, PlannerBase planner, ExecNodeConfig config) {
        return new AggsHandlerCodeGenerator(
                        new CodeGeneratorContext(
                                config, planner.getFlinkContext().getClassLoader()),
                        planner.createRelBuilder(),
                        JavaScalaConversionUtil.toScala(input(this).getChildren()),
                        false)
                .needMerge(0, false, null)
                .generateNamespaceAggsHandler(
                        "WindowAccumulatorsHandler",
                        infos,
                        JavaScalaConversionUtil.toScala(List.of()),
                        Long.class,
                        ZoneId.of("UTC")); // No property of a window is asked for.
    }

    @SuppressWarnings("unchecked") // Slices are known by their ends.
    private static SyncStateWindowProcessor<Long> processor(
            AbstractSliceSyncStateWindowAggProcessor flinks,
            WindowBuffer.Factory buffers,
            int countStar) {
        GeneratedNamespaceAggsHandleFunction<Long> function =
                field(flinks, "genAggsHandler", GeneratedNamespaceAggsHandleFunction.class);
        TypeSerializer<RowData> accumulators = field(flinks, "accSerializer", TypeSerializer.class);
        ZoneId zone = field(flinks, "shiftTimeZone", ZoneId.class);
        SliceAssigner slices =
                FlinkFields.get(
                        flinks,
                        AbstractSliceSyncStateWindowAggProcessor.class,
                        "sliceAssigner",
                        SliceAssigner.class);
        return slices instanceof SliceSharedAssigner shared
                ? new SliceSharedSyncStateWindowAggProcessor(
                        function, buffers, shared, accumulators, countStar, zone)
                : new SliceUnsharedSyncStateWindowAggProcessor(
                        function,
                        buffers,
                        (SliceUnsharedAssigner) slices,
                        accumulators,
                        countStar,
                        zone);
    }

    private static <T> T field(
            AbstractSliceSyncStateWindowAggProcessor processor, String name, Class<T> type) {
        return FlinkFields.get(processor, WindowAggProcessorBase.class, name, type);
    }
}
