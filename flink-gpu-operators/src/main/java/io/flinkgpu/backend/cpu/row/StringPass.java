package io.flinkgpu.backend.cpu.row;

import io.flinkgpu.api.ColumnType;
import io.flinkgpu.backend.cpu.row.TextNeeds.Need;
import io.flinkgpu.backend.cpu.transform.BlockOps;
import io.flinkgpu.backend.cpu.transform.Conditions;
import io.flinkgpu.backend.cpu.transform.Numbers;
import io.flinkgpu.column.RowValues;
import io.flinkgpu.program.Instruction;
import io.flinkgpu.program.Operand;
import io.flinkgpu.program.Pass;
import io.flinkgpu.program.PassOutput;
import io.flinkgpu.program.TextPart;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

import static io.flinkgpu.backend.cpu.row.TextNeeds.Need.ALWAYS;

/** Binds a pass to registers for one row: what is to be done, in order. */
final class StringPass {

    private final Pass pass;
    private final StringRegisters registers;
    private final RowValues values;
    private final CharWriter writer;
    private final TextNeeds needs;
    private final Set<Operand> loaded = new HashSet<>();
    private final List<StringOp> ops = new ArrayList<>();

    /** The last ones, which are all done at the same condition. */
    private final List<StringOp> group = new ArrayList<>();

    private Need groupNeed = Need.ALWAYS;

    private StringPass(Pass pass, StringRegisters registers, RowValues values, CharWriter writer) {
        this.pass = pass;
        this.registers = registers;
        this.values = values;
        this.writer = writer;
        needs = new TextNeeds(pass);
    }

    /**
     * What the pass does to a row: it appends its outputs.
     *
     * @param firstOutput the column that the first output becomes
     * @param values the row's numbers and conditions
     * @param writer used while a text is made
     */
    static List<StringOp> bind(
            Pass pass,
            StringRegisters registers,
            int firstOutput,
            RowValues values,
            CharWriter writer) {
        StringPass bound = new StringPass(pass, registers, values, writer);
        bound.addInstructions();
        for (int i = 0; i < pass.outputs().size(); i++) {
            bound.add(pass.outputs().get(i), firstOutput + i);
        }
        bound.endGroup();
        return bound.ops;
    }

    private void addInstructions() {
        StringOps instructions = new StringOps(pass, registers, new RowColumns(values));
        for (int i = 0; i < pass.instructions().size(); i++) {
            Instruction it = pass.instructions().get(i);
            load(it.a());
            load(it.b());
            add(needs.ofInstruction(i), instructions.bind(it));
        }
    }

    /** Loads a column where it is needed, before its first use. */
    private void load(Operand text) {
        if (text != null && text.kind() == Operand.Kind.COLUMN && loaded.add(text)) {
            StringSlice slice = registers.text(text);
            int column = text.index();
            add(needs.ofColumn(text), texts -> slice.putAll(column, texts[column]));
        }
    }

    private void add(PassOutput output, int column) {
        if (output.type() == ColumnType.BOOLEAN) {
            byte[] condition = registers.conditions[output.register()];
            add(ALWAYS, texts -> putCondition(condition[0], column));
        } else if (output.type() != ColumnType.TEXT) {
            Numbers number = registers.numbers[output.register()];
            add(ALWAYS, texts -> putNumber(number, column));
        } else {
            addText(output.parts(), column);
        }
    }

    /** A text whose pieces all depend on one condition is made without asking for it at each. */
    private void addText(List<TextPart> parts, int column) {
        Map<Need, List<TextPart>> byNeed = parts.stream().collect(Collectors.groupingBy(Need::of));
        long guards = byNeed.keySet().stream().map(Need::guard).distinct().count();
        if (guards > 1) {
            add(ALWAYS, texts -> writer.start());
            parts.forEach(this::addPiece);
            add(ALWAYS, texts -> texts[column] = writer.text());
        } else if (guards == 0 || byNeed.containsKey(ALWAYS)) {
            addText(ALWAYS, parts, column);
        } else {
            int guard = byNeed.keySet().iterator().next().guard();
            for (boolean value : new boolean[] {true, false}) {
                Need need = new Need(guard, value);
                addText(need, byNeed.getOrDefault(need, List.of()), column);
            }
        }
    }

    /** A text where it has just these pieces. */
    private void addText(Need need, List<TextPart> parts, int column) {
        if (parts.isEmpty()) {
            add(need, texts -> texts[column] = "");
        } else if (parts.size() == 1 && parts.get(0).change() == TextPart.Change.NONE) {
            Operand operand = parts.get(0).text();
            if (operand.kind() == Operand.Kind.LITERAL) {
                String literal = registers.literal(operand.index());
                add(need, texts -> texts[column] = literal);
                return;
            }
            load(operand);
            StringSlice text = registers.text(operand);
            add(need, texts -> texts[column] = text.isNull() ? null : text.of(texts));
        } else {
            add(need, texts -> writer.start());
            parts.forEach(this::addPiece);
            add(need, texts -> texts[column] = writer.text());
        }
    }

    private void addPiece(TextPart part) {
        load(part.text());
        add(Need.of(part), piece(part));
    }

    private StringOp piece(TextPart part) {
        if (part.text().kind() == Operand.Kind.LITERAL && part.change() == TextPart.Change.NONE) {
            String literal = registers.literal(part.text().index());
            return texts -> writer.add(literal);
        }
        StringSlice text = registers.text(part.text());
        TextPart.Change change = part.change();
        return switch (change) {
            case NONE -> texts -> writer.add(text, texts);
            case UPPER, LOWER -> texts -> writer.addMapped(change, text, texts);
            case REPLACE -> {
                String what = registers.literal(part.what());
                String with = registers.literal(part.with());
                yield texts -> writer.addReplaced(text, what, with, texts);
            }
        };
    }

    private void add(Need need, StringOp op) {
        if (!need.equals(groupNeed)) {
            endGroup();
            groupNeed = need;
        }
        group.add(op);
    }

    private void endGroup() {
        if (groupNeed.equals(ALWAYS)) {
            ops.addAll(group);
        } else {
            ops.add(guarded(groupNeed, FusedOps.of(group)));
        }
        group.clear();
    }

    private StringOp guarded(Need need, StringOp op) {
        byte[] guard = registers.conditions[need.guard()];
        byte wanted = Conditions.of(need.whenTrue());
        return texts -> {
            if (guard[0] == wanted) {
                op.run(texts);
            }
        };
    }

    private void putCondition(byte condition, int column) {
        if (condition == Conditions.NULL) {
            values.putNull(column);
        } else {
            values.putWord(column, condition);
        }
    }

    private void putNumber(Numbers number, int column) {
        if (number.nulls[0]) {
            values.putNull(column);
        } else {
            values.putWord(column, number.words[0]);
        }
    }

    /** The numbers and conditions of one row. */
    private record RowColumns(RowValues values) implements BlockOps.Columns {

        @Override
        public void load(int column, int firstRow, int rows, Numbers to) {
            to.nulls[0] = values.isNull(column);
            to.words[0] = to.nulls[0] ? 0 : values.word(column);
        }

        @Override
        public void load(int column, int firstRow, int rows, byte[] to) {
            to[0] = values.isNull(column) ? Conditions.NULL : (byte) values.word(column);
        }
    }
}
