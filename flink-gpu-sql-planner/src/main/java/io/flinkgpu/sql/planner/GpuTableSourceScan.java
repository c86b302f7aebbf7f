package io.flinkgpu.sql.planner;

import org.apache.flink.api.dag.Transformation;
import org.apache.flink.table.connector.source.ScanTableSource;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.planner.delegation.PlannerBase;
import org.apache.flink.table.planner.plan.nodes.exec.ExecNodeConfig;
import org.apache.flink.table.planner.plan.nodes.exec.ExecNodeContext;
import org.apache.flink.table.planner.plan.nodes.exec.spec.DynamicTableSourceSpec;
import org.apache.flink.table.planner.plan.nodes.exec.stream.StreamExecTableSourceScan;
import org.apache.flink.table.types.logical.RowType;

import java.util.List;

/**
 * The scan of a table whose rows are read in place: the operators of Flink's node, with its ids and watermarks, between
 * which no row is built or copied.
 */
final class GpuTableSourceScan extends StreamExecTableSourceScan {

    /** The name of the kind of nodes in EXPLAIN and {@code gpu.sql.exclude}. */
    static final String KIND = "TableSourceScan";

    private final List<String> onBatches;

    private GpuTableSourceScan(
            StreamExecTableSourceScan original,
            DynamicTableSourceSpec spec,
            RowType rows,
            List<String> onBatches,
            boolean compiled) {
        super(
                original.getId(),
                new ExecNodeContext(original.getTypeAsString()),
                original.getPersistedConfig(),
                spec,
                rows,
                "Gpu" + original.getDescription());
        this.onBatches = onBatches;
        setInputEdges(List.of());
        setCompiled(compiled);
    }

    /**
     * The node that stands for one of Flink's.
     *
     * @param source of the same rows, in place
     */
    static GpuTableSourceScan of(
            StreamExecTableSourceScan original, ScanTableSource source, boolean compiled) {
        return of(original, source, (RowType) original.getOutputType(), List.of("lines"), compiled);
    }

    /**
     * The node that stands for one of Flink's, and does what a local aggregation would.
     *
     * @param source of the aggregation's rows
     */
    static GpuTableSourceScan aggregating(
            StreamExecTableSourceScan original,
            ScanTableSource source,
            RowType rows,
            boolean compiled) {
        return of(original, source, rows, List.of("lines", "groups"), compiled);
    }

    private static GpuTableSourceScan of(
            StreamExecTableSourceScan original,
            ScanTableSource source,
            RowType rows,
            List<String> onBatches,
            boolean compiled) {
        DynamicTableSourceSpec spec = original.getTableSourceSpec();
        DynamicTableSourceSpec inPlace =
                new DynamicTableSourceSpec(
                        spec.getContextResolvedTable(), spec.getSourceAbilities());
        inPlace.setTableSource(source);
        return new GpuTableSourceScan(original, inPlace, rows, onBatches, compiled);
    }

    @Override
    protected Transformation<RowData> translateToPlanInternal(
            PlannerBase planner, ExecNodeConfig config) {
        Transformation<RowData> rows = super.translateToPlanInternal(planner, config);
        rows.setOutputType(InPlaceReader.inPlace(this));
        return rows;
    }

    /** How it runs. */
    NodeReport report() {
        return new NodeReport(getId(), KIND, onBatches, List.of(), false);
    }
}
