package io.flinkgpu.sql.planner;

import io.flinkgpu.sql.aggregate.InPlaceSerializer;

import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.dag.Transformation;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.planner.delegation.PlannerBase;
import org.apache.flink.table.planner.plan.nodes.exec.ExecNode;
import org.apache.flink.table.runtime.typeutils.InternalTypeInfo;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.RowType;

import java.lang.reflect.Constructor;
import java.util.List;

/** A node whose operator keeps nothing of a row once it has read it, so that rows can come without a copy. */
interface InPlaceReader {

    /**
     * Has rows come as they are.
     *
     * @param nodes that pass them on in the operator's chain, and keep nothing either
     */
    void readInPlace(List<ExecNode<?>> nodes);

    /** Lets these nodes pass rows on as they are: each is translated here, before what reads its rows. */
    @SuppressWarnings("unchecked") // As in Flink's own nodes: what they give are rows.
    static void passInPlace(List<ExecNode<?>> nodes, PlannerBase planner) {
        for (int i = nodes.size() - 1; i >= 0; i--) {
            ((Transformation<RowData>) nodes.get(i).translateToPlan(planner))
                    .setOutputType(inPlace(nodes.get(i)));
        }
    }

    /** The type of a node's rows where they are read in place: Flink's code casts types to this one. */
    @SuppressWarnings("unchecked") // What the constructor makes.
    static InternalTypeInfo<RowData> inPlace(ExecNode<?> node) {
        RowType type = (RowType) node.getOutputType();
        try {
            Constructor<?> constructor =
                    InternalTypeInfo.class.getDeclaredConstructor(
                            LogicalType.class, Class.class, TypeSerializer.class);
            constructor.setAccessible(true);
            return (InternalTypeInfo<RowData>)
                    constructor.newInstance(type, RowData.class, new InPlaceSerializer(type));
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(
                    "not the InternalTypeInfo of Flink " + Compatibility.BUILT_FOR, e);
        }
    }
}
