package io.flinkgpu.backend.cuda.transform;

import io.flinkgpu.program.Instruction;
import io.flinkgpu.program.OpCode;
import io.flinkgpu.program.Pass;
import io.flinkgpu.program.PassOutput;
import io.flinkgpu.program.TextPart;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Drops steps that only make a guard of a condition: to the kernel a guard that is null is false, so the
 * condition itself will do. Registers are written once, so it still holds when the texts are written.
 */
final class DirectGuards {

    private DirectGuards() {}

    /** The pass without these steps; its registers keep their numbers. */
    static Pass of(Pass pass) {
        Map<Integer, Integer> conditions = new HashMap<>();
        List<Instruction> instructions = new ArrayList<>();
        for (Instruction instruction : pass.instructions()) {
            if (instruction.code() == OpCode.IS_TRUE && !isRead(instruction.to(), pass)) {
                conditions.put(instruction.to(), instruction.x());
            } else {
                instructions.add(instruction);
            }
        }
        List<PassOutput> outputs = new ArrayList<>();
        for (PassOutput output : pass.outputs()) {
            List<TextPart> parts =
                    output.parts().stream().map(part -> guarded(part, conditions)).toList();
            outputs.add(new PassOutput(output.type(), parts, output.register()));
        }
        return new Pass(
                instructions,
                pass.literals(),
                pass.automata(),
                pass.textRegisters(),
                pass.numberRegisters(),
                pass.conditionRegisters(),
                outputs);
    }

    /** Whether a step or an output may read a condition; those that read no condition count too. */
    private static boolean isRead(int register, Pass pass) {
        return pass.instructions().stream()
                        .anyMatch(
                                step ->
                                        step.x() == register
                                                || step.y() == register
                                                || step.condition() == register)
                || pass.outputs().stream().anyMatch(output -> output.register() == register);
    }

    private static TextPart guarded(TextPart part, Map<Integer, Integer> conditions) {
        return new TextPart(
                conditions.getOrDefault(part.guard(), part.guard()),
                part.whenTrue(),
                part.text(),
                part.change(),
                part.what(),
                part.with());
    }
}
