package io.flinkgpu.backend.cpu.row;

import io.flinkgpu.program.Instruction;
import io.flinkgpu.program.OpCode.Bank;
import io.flinkgpu.program.Operand;
import io.flinkgpu.program.Pass;
import io.flinkgpu.program.PassOutput;
import io.flinkgpu.program.TextPart;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Where the texts of a pass are needed, so that one which is only written under a condition is not
 * computed elsewhere. Numbers and conditions always are.
 */
final class TextNeeds {

    private final Map<Operand, Need> needs = new HashMap<>();
    private final Need[] ofInstructions;

    TextNeeds(Pass pass) {
        List<Instruction> instructions = pass.instructions();
        ofInstructions = new Need[instructions.size()];
        for (PassOutput output : pass.outputs()) {
            for (TextPart part : output.parts()) {
                need(part.text(), Need.of(part));
            }
        }
        // A register is written before it is read.
        for (int i = instructions.size() - 1; i >= 0; i--) {
            Instruction it = instructions.get(i);
            Need need =
                    it.code().bank() == Bank.TEXT
                            ? Need.both(ofRegister(it.to()), ofRegister(it.toSecond()))
                            : Need.ALWAYS;
            if (need == null || !isKnownBefore(i, need, instructions)) {
                need = Need.ALWAYS;
            }
            ofInstructions[i] = need;
            need(it.a(), need);
            need(it.b(), need);
        }
    }

    /** Where an instruction is to be followed. */
    Need ofInstruction(int index) {
        return ofInstructions[index];
    }

    /** Where a column is read. */
    Need ofColumn(Operand column) {
        return needs.get(column);
    }

    private void need(Operand text, Need where) {
        if (text != null && text.kind() != Operand.Kind.LITERAL) {
            needs.merge(text, where, Need::both);
        }
    }

    /** Null if nothing reads it. */
    private Need ofRegister(int register) {
        return needs.get(new Operand(Operand.Kind.REGISTER, register));
    }

    private static boolean isKnownBefore(int index, Need need, List<Instruction> instructions) {
        return need.guard() < 0
                || instructions.subList(0, index).stream()
                        .anyMatch(
                                it ->
                                        it.code().bank() == Bank.CONDITION
                                                && it.to() == need.guard());
    }

    /**
     * Where a text is needed.
     *
     * @param guard register of a condition that is never null, or -1 for always
     * @param whenTrue the value of the guard there
     */
    record Need(int guard, boolean whenTrue) {

        static final Need ALWAYS = new Need(-1, true);

        static Need of(TextPart part) {
            return part.guard() < 0 ? ALWAYS : new Need(part.guard(), part.whenTrue());
        }

        /** Where one of two is; null for a need that there is not. */
        static Need both(Need one, Need other) {
            if (one == null || other == null) {
                return one == null ? other : one;
            }
            return one.equals(other) ? one : ALWAYS;
        }
    }
}
