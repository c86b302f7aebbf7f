package io.flinkgpu.sql.planner;

import org.apache.flink.table.planner.plan.nodes.exec.common.CommonExecCalc;
import org.apache.flink.table.planner.plan.nodes.exec.stream.StreamExecCalc;

import org.apache.calcite.rex.RexNode;

import java.lang.reflect.Field;
import java.util.List;

/** What a Calc of Flink computes; its fields are not public. */
record CalcFields(List<RexNode> projection, RexNode condition) {

    /**
     * Reads the fields of a node.
     *
     * @throws IllegalStateException if this Flink has other fields
     */
    @SuppressWarnings("unchecked") // As Flink declares the field.
    static CalcFields of(StreamExecCalc calc) {
        try {
            return new CalcFields(
                    (List<RexNode>) field(CommonExecCalc.FIELD_NAME_PROJECTION).get(calc),
                    (RexNode) field(CommonExecCalc.FIELD_NAME_CONDITION).get(calc));
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("not the Calc of Flink " + Compatibility.BUILT_FOR, e);
        }
    }

    private static Field field(String name) throws NoSuchFieldException {
        Field field = CommonExecCalc.class.getDeclaredField(name);
        field.setAccessible(true);
        return field;
    }
}
