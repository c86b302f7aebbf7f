package io.flinkgpu.backend.steps;

import io.flinkgpu.program.Instruction;
import io.flinkgpu.program.OpCode;
import io.flinkgpu.program.Operand;
import io.flinkgpu.program.Pass;
import io.flinkgpu.program.PassOutput;
import io.flinkgpu.program.TextPart;

import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.IntUnaryOperator;

/** Which columns a pass reads, and the same pass for columns in other places. */
final class PassColumns {

    private PassColumns() {}

    static SortedSet<Integer> readBy(Pass pass) {
        SortedSet<Integer> columns = new TreeSet<>();
        renumber(
                pass,
                column -> {
                    columns.add(column);
                    return column;
                });
        return columns;
    }

    /** The pass that reads the column {@code places.applyAsInt(i)} where this one reads column i. */
    static Pass renumber(Pass pass, IntUnaryOperator places) {
        return new Pass(
                pass.instructions().stream().map(it -> renumber(it, places)).toList(),
                pass.literals(),
                pass.automata(),
                pass.textRegisters(),
                pass.numberRegisters(),
                pass.conditionRegisters(),
                pass.outputs().stream().map(output -> renumber(output, places)).toList());
    }

    private static Instruction renumber(Instruction it, IntUnaryOperator places) {
        boolean loads = it.code() == OpCode.LOAD_NUMBER || it.code() == OpCode.LOAD_CONDITION;
        return new Instruction(
                it.code(),
                it.to(),
                it.toSecond(),
                renumber(it.a(), places),
                renumber(it.b(), places),
                it.x(),
                it.y(),
                it.condition(),
                loads ? places.applyAsInt(it.count()) : it.count(),
                it.number());
    }

    private static PassOutput renumber(PassOutput output, IntUnaryOperator places) {
        List<TextPart> parts =
                output.parts().stream()
                        .map(
                                part ->
                                        new TextPart(
                                                part.guard(),
                                                part.whenTrue(),
                                                renumber(part.text(), places),
                                                part.change(),
                                                part.what(),
                                                part.with()))
                        .toList();
        return new PassOutput(output.type(), parts, output.register());
    }

    private static Operand renumber(Operand operand, IntUnaryOperator places) {
        return operand != null && operand.kind() == Operand.Kind.COLUMN
                ? new Operand(Operand.Kind.COLUMN, places.applyAsInt(operand.index()))
                : operand;
    }
}
