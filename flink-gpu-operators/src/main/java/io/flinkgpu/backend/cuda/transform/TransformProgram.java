package io.flinkgpu.backend.cuda.transform;

import io.flinkgpu.backend.plan.PassPlan;
import io.flinkgpu.program.Instruction;
import io.flinkgpu.program.OpCode;
import io.flinkgpu.program.Operand;
import io.flinkgpu.program.Pass;
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

    /** What kernels may read after a text: see {@code kernels/include/text/words.cuh}. */
    private static final int READ_PAST_BYTES = 12;

    private final ByteArrayOutputStream image = new ByteArrayOutputStream();
    private final List<PassImage> passes = new ArrayList<>();
    private final byte[] bytes;

    TransformProgram(PassPlan plan) {
        int upper = appendCaseTable(plan, Change.UPPER, Character::toUpperCase);
        int lower = appendCaseTable(plan, Change.LOWER, Character::toLowerCase);
        for (Pass pass : plan.passes()) {
            passes.add(append(DirectGuards.of(pass), upper, lower));
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
        TextRegisters registers = new TextRegisters(pass);
        List<List<GuardedText>> texts =
                pass.outputs().stream().map(output -> GuardedText.of(output.parts())).toList();
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        ByteBuffer entries = buffer((pass.literals().size() + 1) * TransformAbi.LITERAL_BYTES);
        for (byte[] literal : pass.literals()) {
            entries.putInt(text.size()).putInt(literal.length);
            text.writeBytes(literal);
        }
        int parts = pass.instructions().size() * TransformAbi.INSTRUCTION_BYTES;
        int packed = parts + texts.stream().mapToInt(List::size).sum() * TransformAbi.PART_BYTES;
        ByteBuffer head = buffer(packed);
        for (Instruction instruction : pass.instructions()) {
            put(head, instruction, columns, registers);
        }
        for (List<GuardedText> output : texts) {
            for (GuardedText part : output) {
                put(head, part, columns, registers, pass.literals());
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
                registers.count(),
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

    /**
     * The slots of literals, and after them their text: places count from the start of the head. What kernels read past
     * a text is the head's as well, not the numbers and conditions after it, which other threads write.
     */
    private static void appendLiterals(
            ByteArrayOutputStream head, ByteBuffer entries, byte[] text) {
        int literals = entries.capacity() / TransformAbi.LITERAL_BYTES;
        int slotsBytes = literals * TransformAbi.LITERAL_COPIES * Integer.BYTES;
        int padding = (-text.length & Integer.BYTES - 1) + (literals > 0 ? READ_PAST_BYTES : 0);
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

    private static void put(
            ByteBuffer to, Instruction instruction, PassColumns columns, TextRegisters registers) {
        boolean isText = instruction.code().bank() == OpCode.Bank.TEXT;
        int count =
                instruction.code().uses(OpCode.Field.COLUMN)
                        ? columns.indexOf(instruction.count())
                        : instruction.count();
        to.put((byte) instruction.code().ordinal())
                .put((byte) (isText ? registers.placeOf(instruction.to()) : instruction.to()))
                .put((byte) (isText ? registers.placeOf(instruction.toSecond()) : 0))
                .put((byte) instruction.condition())
                .put((byte) instruction.x())
                .put((byte) instruction.y())
                .put(kind(instruction.a()))
                .put(kind(instruction.b()))
                .putShort(index(instruction.a(), columns, registers))
                .putShort(index(instruction.b(), columns, registers))
                .putInt(count)
                .putLong(instruction.number())
                .putLong(0);
    }

    /** Nothing is an empty literal. */
    private static void put(
            ByteBuffer to,
            GuardedText part,
            PassColumns columns,
            TextRegisters registers,
            List<byte[]> literals) {
        Operand none = new Operand(Operand.Kind.LITERAL, literals.size());
        Operand text = part.text() == null ? none : part.text();
        Operand other = part.other() == null ? none : part.other();
        int at = to.position();
        to.put((byte) part.guard())
                .put((byte) part.change().ordinal())
                .put(kind(text))
                .put(kind(other))
                .putShort(index(text, columns, registers))
                .putShort(index(other, columns, registers))
                .putShort((short) part.what())
                .putShort((short) part.with())
                .position(at + TransformAbi.PART_BYTES);
        byte[] first = shortLiteral(text, literals);
        byte[] second = shortLiteral(other, literals);
        if (first != null && second != null && part.change() == Change.NONE) {
            to.put(at + TransformAbi.PART_TEXT_WORD, first);
            to.put(at + TransformAbi.PART_OTHER_WORD, second);
            to.put(at + TransformAbi.PART_IS_SHORT, (byte) 1);
            to.put(at + TransformAbi.PART_TEXT_BYTES, (byte) first.length);
            to.put(at + TransformAbi.PART_OTHER_BYTES, (byte) second.length);
        }
    }

    /** A literal of at most a word; null if it is none. */
    private static byte[] shortLiteral(Operand operand, List<byte[]> literals) {
        if (operand.kind() != Operand.Kind.LITERAL) {
            return null;
        }
        byte[] literal =
                operand.index() == literals.size() ? new byte[0] : literals.get(operand.index());
        return literal.length <= Integer.BYTES ? literal : null;
    }

    private static byte kind(Operand operand) {
        return (byte) (operand == null ? 0 : operand.kind().ordinal());
    }

    private static short index(Operand operand, PassColumns columns, TextRegisters registers) {
        if (operand == null) {
            return 0;
        }
        int index =
                switch (operand.kind()) {
                    case COLUMN -> columns.indexOf(operand.index());
                    case REGISTER -> registers.placeOf(operand.index());
                    case LITERAL -> operand.index();
                };
        return (short) index;
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
