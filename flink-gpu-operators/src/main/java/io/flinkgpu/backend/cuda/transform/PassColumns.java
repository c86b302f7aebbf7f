package io.flinkgpu.backend.cuda.transform;

import io.flinkgpu.api.ColumnType;
import io.flinkgpu.backend.plan.PassPlan;
import io.flinkgpu.program.Instruction;
import io.flinkgpu.program.OpCode;
import io.flinkgpu.program.Operand;
import io.flinkgpu.program.Pass;
import io.flinkgpu.program.PassOutput;
import io.flinkgpu.program.TextPart;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * The columns of a plan that one of its passes reads, in the order in which the kernel knows them:
 * those of text first.
 *
 * @param columns their numbers in the plan
 * @param textColumns how many are of text
 */
record PassColumns(List<Integer> columns, int textColumns) {

    static PassColumns of(Pass pass) {
        Set<Integer> texts = new TreeSet<>();
        Set<Integer> others = new TreeSet<>();
        for (Instruction instruction : pass.instructions()) {
            addText(instruction.a(), texts);
            addText(instruction.b(), texts);
            if (instruction.code().uses(OpCode.Field.COLUMN)) {
                others.add(instruction.count());
            }
        }
        for (PassOutput output : pass.outputs()) {
            for (TextPart part : output.parts()) {
                addText(part.text(), texts);
            }
        }
        List<Integer> columns = new ArrayList<>(texts);
        columns.addAll(others);
        return new PassColumns(List.copyOf(columns), texts.size());
    }

    /** The types of the columns of a plan: those of its batches, then the outputs of its passes. */
    static List<ColumnType> allTypes(PassPlan plan) {
        List<ColumnType> types = new ArrayList<>(plan.types());
        for (Pass pass : plan.passes()) {
            pass.outputs().forEach(output -> types.add(output.type()));
        }
        return List.copyOf(types);
    }

    /** The number by which the kernel knows a column. */
    int indexOf(int column) {
        return columns.indexOf(column);
    }

    private static void addText(Operand operand, Set<Integer> texts) {
        if (operand != null && operand.kind() == Operand.Kind.COLUMN) {
            texts.add(operand.index());
        }
    }
}
