package io.flinkgpu.backend.cpu.row;

import io.flinkgpu.api.ColumnType;
import io.flinkgpu.backend.RowProgram;
import io.flinkgpu.column.RowReader;
import io.flinkgpu.column.RowValues;
import io.flinkgpu.program.Pass;
import io.flinkgpu.program.Program;
import io.flinkgpu.program.Step;

import org.apache.flink.annotation.Internal;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Passes over one row after the other, whose texts stay the {@code String}s that they are. */
@Internal
public final class StringProgram implements RowProgram {

    private final StringOp passes;
    private final RowValues values;

    /** The row's Strings before it is read: room for its columns, and behind them the literals. */
    private final String[] blank;

    private final int[] results;
    private final ColumnType[] resultTypes;

    private StringProgram(Program program) {
        int columns = program.types().size();
        for (Step step : program.steps()) {
            columns += ((Pass) step).outputs().size();
        }
        values = new RowValues(columns);
        List<String> literals = new ArrayList<>();
        CharWriter writer = new CharWriter();
        List<StringOp> ops = new ArrayList<>();
        int firstOutput = program.types().size();
        for (Step step : program.steps()) {
            Pass pass = (Pass) step;
            StringRegisters registers = new StringRegisters(pass, columns + literals.size());
            ops.addAll(StringPass.bind(pass, registers, firstOutput, values, writer));
            literals.addAll(registers.slicedLiterals());
            firstOutput += pass.outputs().size();
        }
        passes = FusedOps.of(ops);
        blank = new String[columns + literals.size()];
        for (int i = 0; i < literals.size(); i++) {
            blank[columns + i] = literals.get(i);
        }
        results = program.results().stream().mapToInt(result -> result).toArray();
        resultTypes = program.resultTypes().toArray(ColumnType[]::new);
    }

    /** Nothing for a program that redacts or hashes: those read bytes. */
    public static Optional<RowProgram> of(Program program) {
        return program.steps().stream().allMatch(Pass.class::isInstance)
                ? Optional.of(new StringProgram(program))
                : Optional.empty();
    }

    @Override
    public <T> Object[] run(RowReader<T> reader, T record) {
        // Not kept from row to row: references from old objects to new ones cost the collector
        // time.
        String[] texts = blank.clone();
        reader.read(record, texts, values);
        try {
            passes.run(texts);
        } catch (NeedsColumnsException e) {
            return null;
        }
        Object[] row = new Object[results.length];
        for (int i = 0; i < row.length; i++) {
            row[i] = result(results[i], resultTypes[i], texts);
        }
        return row;
    }

    private Object result(int column, ColumnType type, String[] texts) {
        if (type != ColumnType.TEXT && values.isNull(column)) {
            return null;
        }
        return switch (type.kind()) {
            case TEXT -> texts[column];
            case LONG -> (Object) values.word(column);
            case DOUBLE -> Double.longBitsToDouble(values.word(column));
            case BOOLEAN -> values.word(column) != 0;
            case BYTES, INT, FLOAT, DECIMAL, TIMESTAMP, LIST, VECTOR ->
                    throw type.refusedBy("a result");
        };
    }
}
