package io.flinkgpu.backend.cpu;

import io.flinkgpu.api.expression.ColumnType;
import io.flinkgpu.column.RowValues;
import io.flinkgpu.program.Instruction;
import io.flinkgpu.program.Operand;
import io.flinkgpu.program.Pass;
import io.flinkgpu.program.PassOutput;
import io.flinkgpu.program.TextPart;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Binds a pass to registers for one row: what is to be done, in order. */
final class StringPass {

    private final Pass pass;
    private final StringRegisters registers;
    private final RowValues values;
    private final TextMaker maker;
    private final TextNeeds needs;
    private final Set<Operand> loaded = new HashSet<>();
    private final List<StringOp> ops = new ArrayList<>();

    private StringPass(
            Pass pass, StringRegisters registers, RowValues values, TextMaker maker) {
        this.pass = pass;
        this.registers = registers;
        this.values = values;
        this.maker = maker;
        needs = new TextNeeds(pass);
    }

    /**
     * What the pass does to a row: it appends its outputs.
     *
     * @param firstOutput the column that the first output becomes
     * @param values the row's numbers and conditions
     * @param maker used while a text is made
     */
    static List<StringOp> bind(
            Pass pass,
            StringRegisters registers,
            int firstOutput,
            RowValues values,
            TextMaker maker) {
        StringPass bound = new StringPass(pass, registers, values, maker);
        bound.addInstructions();
        for (int i = 0; i < pass.outputs().size(); i++) {
            bound.add(pass.outputs().get(i), firstOutput + i);
        }
        return bound.ops;
    }

    private void addInstructions() {
        StringBinder binder = new StringBinder(pass, registers, new RowColumns(values));
        for (int i = 0; i < pass.instructions().size(); i++) {
            Instruction it = pass.instructions().get(i);
            load(it.a());
            load(it.b());
            ops.add(guarded(needs.ofInstruction(i), binder.bind(it)));
        }
    }

    /** Loads a column where it is needed, before its first use. */
    private void load(Operand text) {
        if (text != null && text.kind() == Operand.Kind.COLUMN && loaded.add(text)) {
            StringSlice slice = registers.text(text);
            int column = text.index();
            ops.add(
                    guarded(
                            needs.ofColumn(text),
                            texts -> slice.putAll(column, texts[column])));
        }
    }

    private void add(PassOutput output, int column) {
        if (output.type() == ColumnType.BOOLEAN) {
            byte[] condition = registers.conditions[output.register()];
            ops.add(texts -> putCondition(condition[0], column));
        } else if (output.type() != ColumnType.TEXT) {
            Numbers number = registers.numbers[output.register()];
            ops.add(texts -> putNumber(number, column));
        } else {
            ops.add(texts -> maker.start());
            for (TextPart part : output.parts()) {
                load(part.text());
                ops.add(guarded(TextNeeds.Need.of(part), piece(part)));
            }
            ops.add(texts -> texts[column] = maker.text(texts));
        }
    }

    private StringOp piece(TextPart part) {
        StringSlice text = registers.text(part.text());
        TextPart.Change change = part.change();
        switch (change) {
            case NONE:
                return texts -> maker.add(text, texts);
            case REPLACE:
                String what = registers.literal(part.what());
                String with = registers.literal(part.with());
                return texts -> maker.addReplaced(text, what, with, texts);
            default:
                return texts -> maker.addMapped(change, text, texts);
        }
    }

    private StringOp guarded(TextNeeds.Need need, StringOp op) {
        if (need.guard() < 0) {
            return op;
        }
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
    private record RowColumns(RowValues values) implements ValueBinder.Columns {

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
