package io.flinkgpu.backend.cuda;

import io.flinkgpu.backend.PassPlan;
import io.flinkgpu.program.Instruction;
import io.flinkgpu.program.Operand;
import io.flinkgpu.program.Pass;
import io.flinkgpu.program.PassOutput;
import io.flinkgpu.program.TextPart.Change;
import io.flinkgpu.text.WholeMatcher;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntUnaryOperator;

/** What the transform kernel reads of a plan, as bytes that are the same for all batches. */
final class TransformProgram {

    /** Literals that are copied to each tile's window. */
    static final int MAX_LITERALS_IN_WINDOW_BYTES = 4096;

    private static final int ALIGNMENT_BYTES = 16;

    private final ByteArrayOutputStream image = new ByteArrayOutputStream();
    private final List<PassImage> passes = new ArrayList<>();
    private final byte[] bytes;

    TransformProgram(PassPlan plan) {
        int upper = appendCaseTable(plan, Change.UPPER, Character::toUpperCase);
        int lower = appendCaseTable(plan, Change.LOWER, Character::toLowerCase);
        for (Pass pass : plan.passes()) {
            passes.add(append(pass, upper, lower));
        }
        bytes = image.toByteArray();
    }

    /** The bytes, to be copied to the device; not to be written to. */
    byte[] bytes() {
        return bytes;
    }

    List<PassImage> passes() {
        return passes;
    }

    private PassImage append(Pass pass, int upper, int lower) {
        PassColumns columns = PassColumns.of(pass);
        List<List<GuardedText>> texts =
                pass.outputs().stream().map(output -> GuardedText.of(output.parts())).toList();
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        ByteBuffer entries = buffer((pass.literals().size() + 1) * TransformAbi.LITERAL_BYTES);
        for (byte[] literal : pass.literals()) {
            entries.putInt(text.size()).putInt(literal.length);
            text.writeBytes(literal);
        }
        int parts = pass.instructions().size() * TransformAbi.INSTRUCTION_BYTES;
        int endOfParts =
                parts + texts.stream().mapToInt(List::size).sum() * TransformAbi.PART_BYTES;
        int packed = endOfParts + (-endOfParts & ALIGNMENT_BYTES - 1);
        ByteBuffer head = buffer(packed);
        for (Instruction instruction : pass.instructions()) {
            put(head, instruction, columns);
        }
        int nothing = pass.literals().size();
        for (List<GuardedText> output : texts) {
            for (GuardedText part : output) {
                put(head, part, columns, nothing);
            }
        }
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        all.writeBytes(head.array());
        if (text.size() <= MAX_LITERALS_IN_WINDOW_BYTES) {
            appendLiterals(all, entries, text.toByteArray());
        }
        return new PassImage(
                pass,
                columns,
                texts,
                append(all.toByteArray()),
                all.size(),
                parts,
                packed,
                append(entries.array()),
                append(text.toByteArray()),
                text.size(),
                appendAutomata(pass.automata()),
                upper,
                lower);
    }

    /** The slots of literals, and behind them their text: places count from the start of the head. */
    private static void appendLiterals(
            ByteArrayOutputStream head, ByteBuffer entries, byte[] text) {
        int literals = entries.capacity() / TransformAbi.LITERAL_BYTES;
        int slotsBytes = literals * TransformAbi.LITERAL_COPIES * Integer.BYTES;
        int padding = -text.length & Integer.BYTES - 1;
        ByteBuffer to = buffer(slotsBytes + text.length + padding);
        for (int i = 0; i < literals; i++) {
            int place = head.size() + slotsBytes + entries.getInt(8 * i);
            int slot = place | entries.getInt(8 * i + 4) << Short.SIZE;
            for (int copy = 0; copy < TransformAbi.LITERAL_COPIES; copy++) {
                to.putInt(slot);
            }
        }
        head.writeBytes(to.put(text).array());
    }

    private static void put(ByteBuffer to, Instruction instruction, PassColumns columns) {
        int count =
                PassColumns.loads(instruction.code())
                        ? columns.indexOf(instruction.count())
                        : instruction.count();
        to.put((byte) instruction.code().ordinal())
                .put((byte) instruction.to())
                .put((byte) instruction.toSecond())
                .put((byte) instruction.condition())
                .put((byte) instruction.x())
                .put((byte) instruction.y())
                .put(kind(instruction.a()))
                .put(kind(instruction.b()))
                .putShort(index(instruction.a(), columns))
                .putShort(index(instruction.b(), columns))
                .putInt(count)
                .putLong(instruction.number());
    }

    /** Nothing is an empty literal. */
    private static void put(ByteBuffer to, GuardedText part, PassColumns columns, int nothing) {
        Operand none = new Operand(Operand.Kind.LITERAL, nothing);
        Operand text = part.text() == null ? none : part.text();
        Operand other = part.other() == null ? none : part.other();
        to.put((byte) part.guard())
                .put((byte) part.change().ordinal())
                .put(kind(text))
                .put(kind(other))
                .putShort(index(text, columns))
                .putShort(index(other, columns))
                .putShort((short) part.what())
                .putShort((short) part.with());
    }

    private static byte kind(Operand operand) {
        return (byte) (operand == null ? 0 : operand.kind().ordinal());
    }

    private static short index(Operand operand, PassColumns columns) {
        if (operand == null) {
            return 0;
        }
        boolean isColumn = operand.kind() == Operand.Kind.COLUMN;
        return (short) (isColumn ? columns.indexOf(operand.index()) : operand.index());
    }

    private int appendAutomata(List<WholeMatcher> automata) {
        ByteBuffer entries = buffer(automata.size() * TransformAbi.AUTOMATON_BYTES);
        for (WholeMatcher automaton : automata) {
            char[] transitions = automaton.transitionTable();
            ByteBuffer next = buffer(transitions.length * Character.BYTES);
            next.asCharBuffer().put(transitions);
            byte[] accepts = new byte[automaton.states()];
            for (int state = 0; state < accepts.length; state++) {
                accepts[state] = (byte) (automaton.accepts(state) ? 1 : 0);
            }
            entries.putInt(append(automaton.classTable()))
                    .putInt(append(next.array()))
                    .putInt(append(accepts))
                    .putInt(automaton.startState())
                    .putInt(automaton.strideShift())
                    .putInt(WholeMatcher.DEAD);
        }
        return append(entries.array());
    }

    private int appendCaseTable(PassPlan plan, Change change, IntUnaryOperator mapping) {
        boolean needed =
                plan.passes().stream()
                        .flatMap(pass -> pass.outputs().stream())
                        .flatMap(output -> output.parts().stream())
                        .anyMatch(part -> part.change() == change);
        return needed ? append(CaseTable.of(mapping)) : 0;
    }

    private int append(byte[] section) {
        int offset = image.size();
        image.writeBytes(section);
        int padding = -image.size() & ALIGNMENT_BYTES - 1;
        image.writeBytes(new byte[padding]);
        return offset;
    }

    private static ByteBuffer buffer(int capacity) {
        return ByteBuffer.allocate(capacity).order(ByteOrder.LITTLE_ENDIAN);
    }
}
