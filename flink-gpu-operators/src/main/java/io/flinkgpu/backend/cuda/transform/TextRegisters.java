package io.flinkgpu.backend.cuda.transform;

import io.flinkgpu.program.Instruction;
import io.flinkgpu.program.OpCode.Bank;
import io.flinkgpu.program.Operand;
import io.flinkgpu.program.Pass;
import io.flinkgpu.program.PassOutput;
import io.flinkgpu.program.TextPart;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;

/**
 * Where the text registers of a pass are kept: those that nobody reads any more make room for later
 * ones, since the memory of a block limits how many of them run at once.
 */
final class TextRegisters {

    private static final int NEVER = -1;

    private final int[] places;
    private int count;

    TextRegisters(Pass pass) {
        places = new int[pass.textRegisters()];
        int[] lastReads = lastReads(pass);
        Deque<Integer> free = new ArrayDeque<>();
        List<Instruction> steps = pass.instructions();
        for (int i = 0; i < steps.size(); i++) {
            Instruction step = steps.get(i);
            // A step reads all that it needs of a row before it writes to it.
            release(step.a(), i, lastReads, free);
            if (step.b() != null && !step.b().equals(step.a())) {
                release(step.b(), i, lastReads, free);
            }
            if (step.code().bank() == Bank.TEXT) {
                place(step.to(), free);
                place(step.toSecond(), free);
            }
        }
    }

    /** The number by which the kernel knows a register. */
    int placeOf(int register) {
        return register < 0 ? register : places[register];
    }

    /** How many there are for the kernel. */
    int count() {
        return count;
    }

    private void place(int register, Deque<Integer> free) {
        if (register >= 0) {
            places[register] = free.isEmpty() ? count++ : free.pop();
        }
    }

    private void release(Operand operand, int step, int[] lastReads, Deque<Integer> free) {
        if (isRegister(operand) && lastReads[operand.index()] == step) {
            free.push(places[operand.index()]);
        }
    }

    private static int[] lastReads(Pass pass) {
        int[] last = new int[pass.textRegisters()];
        Arrays.fill(last, NEVER);
        List<Instruction> steps = pass.instructions();
        for (int i = 0; i < steps.size(); i++) {
            note(steps.get(i).a(), i, last);
            note(steps.get(i).b(), i, last);
        }
        for (PassOutput output : pass.outputs()) {
            for (TextPart part : output.parts()) {
                note(part.text(), steps.size(), last);
            }
        }
        return last;
    }

    private static void note(Operand operand, int step, int[] last) {
        if (isRegister(operand)) {
            last[operand.index()] = step;
        }
    }

    private static boolean isRegister(Operand operand) {
        return operand != null && operand.kind() == Operand.Kind.REGISTER;
    }
}
