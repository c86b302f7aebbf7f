package io.flinkgpu.sql.planner;

import io.flinkgpu.sql.connector.InPlaceRows;

import org.apache.flink.api.dag.Transformation;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.planner.delegation.PlannerBase;
import org.apache.flink.table.planner.plan.nodes.exec.ExecNode;
import org.apache.flink.table.runtime.typeutils.InternalTypeInfo;
import org.apache.flink.table.types.logical.RowType;

import java.util.List;

/** A node whose operator keeps nothing of a row once it has read it, so that rows can come without a copy. */
interface InPlaceReader {

    /**
     * Has rows come as they are.
     *
     * @param nodes that pass them on in the operator's chain, and keep nothing either
     */
    void readInPlace(List<ExecNode<?>> nodes);

    /** Lets these nodes pass rows on as they are; they are translated, and nothing has asked for their type yet. */
    @SuppressWarnings("unchecked") // As in Flink's own nodes: what they give are rows.
    static void passInPlace(List<ExecNode<?>> nodes, PlannerBase planner) {
        for (ExecNode<?> node : nodes) {
            ((Transformation<RowData>) node.translateToPlan(planner))
                    .setOutputType(inPlace(node));
        }
    }

    /** The type of a node's rows where they are read in place. */
    static InPlaceRows inPlace(ExecNode<?> node) {
        return new InPlaceRows(InternalTypeInfo.of((RowType) node.getOutputType()));
    }
}
