package io.flinkgpu.backend;

import io.flinkgpu.api.ColumnType;
import io.flinkgpu.program.Instruction;
import io.flinkgpu.program.OpCode;
import io.flinkgpu.program.Operand;
import io.flinkgpu.program.Pass;
import io.flinkgpu.program.PassOutput;
import io.flinkgpu.program.TextPart;
import io.flinkgpu.program.TextPart.Change;

import java.util.ArrayList;
import java.util.List;

/** Writes passes by hand. Each method returns the register that its result is in. */
public final class PassBuilder {

    private final List<Instruction> instructions = new ArrayList<>();
    private final List<byte[]> literals = new ArrayList<>();
    private final List<PassOutput> outputs = new ArrayList<>();
    private int texts;
    private int numbers;
    private int conditions;

    public static Operand column(int index) {
        return new Operand(Operand.Kind.COLUMN, index);
    }

    public Operand literal(String byteText) {
        literals.add(ByteText.bytes(byteText));
        return new Operand(Operand.Kind.LITERAL, literals.size() - 1);
    }

    /** An instruction whose result is a text. */
    Operand text(OpCode code, Operand a, Operand b, int condition, int count, long number) {
        add(code, texts++, -1, a, b, 0, 0, condition, count, number);
        return register(texts - 1);
    }

    /** What is before and behind a separator. */
    Operand[] split(Operand a, Operand b, boolean before, boolean after) {
        Operand first = before ? register(texts++) : null;
        Operand second = after ? register(texts++) : null;
        add(
                OpCode.SPLIT,
                before ? first.index() : -1,
                after ? second.index() : -1,
                a,
                b,
                0,
                0,
                0,
                0,
                0);
        return new Operand[] {first, second};
    }

    /** A condition on texts. */
    int test(OpCode code, Operand a, Operand b) {
        return add(code, conditions++, -1, a, b, 0, 0, 0, 0, 0);
    }

    public int length(Operand a) {
        return add(OpCode.LENGTH, numbers++, -1, a, null, 0, 0, 0, 0, 0);
    }

    /** An instruction whose result is a number. */
    public int number(OpCode code, int x, int y, int condition, int count, long number) {
        return add(code, numbers++, -1, null, null, x, y, condition, count, number);
    }

    /** An instruction whose result is a condition. */
    public int condition(OpCode code, int x, int y, int condition, int count, long number) {
        return add(code, conditions++, -1, null, null, x, y, condition, count, number);
    }

    public int condition(OpCode code, int x, int y) {
        return condition(code, x, y, 0, 0, 0);
    }

    public static TextPart part(Operand text) {
        return part(-1, true, text, Change.NONE);
    }

    public static TextPart part(int guard, boolean whenTrue, Operand text, Change change) {
        return new TextPart(guard, whenTrue, text, change, -1, -1);
    }

    static TextPart replacing(Operand text, Operand what, Operand with) {
        return new TextPart(-1, true, text, Change.REPLACE, what.index(), with.index());
    }

    public PassBuilder writeText(TextPart... parts) {
        outputs.add(new PassOutput(ColumnType.TEXT, List.of(parts), -1));
        return this;
    }

    public PassBuilder write(ColumnType type, int register) {
        outputs.add(new PassOutput(type, List.of(), register));
        return this;
    }

    public Pass build() {
        return new Pass(instructions, literals, List.of(), texts, numbers, conditions, outputs);
    }

    private static Operand register(int index) {
        return new Operand(Operand.Kind.REGISTER, index);
    }

    private int add(
            OpCode code,
            int to,
            int toSecond,
            Operand a,
            Operand b,
            int x,
            int y,
            int condition,
            int count,
            long number) {
        instructions.add(new Instruction(code, to, toSecond, a, b, x, y, condition, count, number));
        return to;
    }
}
