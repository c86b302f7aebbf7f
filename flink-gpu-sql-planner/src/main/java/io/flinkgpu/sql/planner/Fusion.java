package io.flinkgpu.sql.planner;

import io.flinkgpu.sql.connector.InPlaceSource;

import org.apache.flink.table.planner.calcite.FlinkContext;
import org.apache.flink.table.planner.calcite.FlinkTypeFactory;
import org.apache.flink.table.planner.plan.nodes.exec.ExecEdge;
import org.apache.flink.table.planner.plan.nodes.exec.ExecNode;
import org.apache.flink.table.planner.plan.nodes.exec.ExecNodeGraph;
import org.apache.flink.table.planner.plan.nodes.exec.stream.StreamExecCalc;
import org.apache.flink.table.planner.plan.nodes.exec.stream.StreamExecMiniBatchAssigner;
import org.apache.flink.table.planner.plan.nodes.exec.stream.StreamExecTableSourceScan;
import org.apache.flink.table.planner.plan.nodes.exec.stream.StreamExecWatermarkAssigner;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * Finds the nodes that give a local aggregation its rows, as far as these can be read in place: those of a source that
 * has such rows, or of a Calc in batches, and what passes rows on, and keeps none. Each of them gives rows to the next
 * one alone, which is in its chain.
 */
final class Fusion {

    private final Settings settings;
    private final FlinkContext context;
    private final FlinkTypeFactory types;
    private final Map<ExecNode<?>, Integer> readers = new IdentityHashMap<>();

    /**
     * What is found.
     *
     * @param passing from the aggregation on, stand-ins where there are such; without the scan
     * @param scan the source's node; null if the last that passes rows on makes them
     * @param source of the rows in place; null without a scan
     */
    record Chain(List<ExecNode<?>> passing, StreamExecTableSourceScan scan, InPlaceSource source) {

        Chain {
            passing = List.copyOf(passing);
        }

        /** Whether rows of batches are read, and not only rows of Flink that are spared a copy. */
        boolean isFused() {
            return scan != null || passing.get(passing.size() - 1) instanceof GpuCalc;
        }
    }

    Fusion(ExecNodeGraph graph, Settings settings, FlinkContext context, FlinkTypeFactory types) {
        this.settings = settings;
        this.context = context;
        this.types = types;
        graph.getRootNodes().forEach(this::count);
    }

    private void count(ExecNode<?> node) {
        for (ExecEdge edge : node.getInputEdges()) {
            if (readers.merge(edge.getSource(), 1, Integer::sum) == 1) {
                count(edge.getSource());
            }
        }
    }

    /**
     * The chain in front of a local aggregation.
     *
     * @param input Flink's node that gives it rows
     * @param standIns the nodes that stand for those of Flink, themselves for others
     */
    Optional<Chain> before(ExecNode<?> input, UnaryOperator<ExecNode<?>> standIns) {
        List<ExecNode<?>> passing = new ArrayList<>();
        ExecNode<?> node = input;
        while (readers.get(node) == 1) {
            ExecNode<?> standIn = standIns.apply(node);
            if (standIn instanceof GpuCalc) {
                passing.add(standIn);
                break;
            }
            if (node instanceof StreamExecTableSourceScan scan) {
                InPlaceSource source = source(scan).orElse(null);
                if (source != null) {
                    return Optional.of(new Chain(passing, scan, source));
                }
            }
            if (!passesOn(node)) {
                break;
            }
            passing.add(standIn);
            node = node.getInputEdges().get(0).getSource();
        }
        return passing.isEmpty() ? Optional.empty() : Optional.of(new Chain(passing, null, null));
    }

    private boolean passesOn(ExecNode<?> node) {
        return node.getClass() == StreamExecMiniBatchAssigner.class
                || node.getClass() == StreamExecWatermarkAssigner.class
                || node.getClass() == StreamExecCalc.class
                        && !settings.excluded().contains(CalcPlan.KIND);
    }

    private Optional<InPlaceSource> source(StreamExecTableSourceScan scan) {
        return !settings.excluded().contains(GpuTableSourceScan.KIND)
                        && scan.getTableSourceSpec().getScanTableSource(context, types)
                                instanceof InPlaceSource source
                ? source.inPlace(InPlaceReader.inPlace(scan))
                : Optional.empty();
    }
}
