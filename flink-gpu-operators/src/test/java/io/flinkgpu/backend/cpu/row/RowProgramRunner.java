package io.flinkgpu.backend.cpu.row;

import io.flinkgpu.api.ColumnType;
import io.flinkgpu.api.ErrorValues;
import io.flinkgpu.api.ValueGetter;
import io.flinkgpu.api.expression.Columns;
import io.flinkgpu.backend.RowProgram;
import io.flinkgpu.column.RowReader;
import io.flinkgpu.column.StringBytes;
import io.flinkgpu.program.Program;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Runs a program on records whose texts are Strings. */
final class RowProgramRunner {

    private final RowProgram program;
    private final RowReader<Map<String, Object>> reader;

    RowProgramRunner(RowProgram program, Program compiled, Map<String, ColumnType> columns) {
        this.program = program;
        reader = new RowReader<>(columnsOf(columns), compiled.columns(), ErrorValues.HIDDEN);
    }

    /** Columns of records that are maps. */
    static Columns<Map<String, Object>> columnsOf(Map<String, ColumnType> types) {
        Columns<Map<String, Object>> columns = Columns.empty();
        for (Map.Entry<String, ColumnType> column : types.entrySet()) {
            String name = column.getKey();
            columns =
                    switch (column.getValue().kind()) {
                        case TEXT -> columns.text(name, record -> (String) record.get(name));
                        case LONG -> columns.longs(name, getter(name, Long.class));
                        case DOUBLE -> columns.doubles(name, getter(name, Double.class));
                        case BOOLEAN -> columns.booleans(name, getter(name, Boolean.class));
                        case BYTES, INT, FLOAT, DECIMAL, TIMESTAMP, LIST, VECTOR ->
                                throw column.getValue().refusedBy("a column");
                    };
        }
        return columns;
    }

    private static <V> ValueGetter<Map<String, Object>, V> getter(String name, Class<V> type) {
        return record -> type.cast(record.get(name));
    }

    /** The results of a record of Strings, or null if it needs columns. */
    Object[] run(Map<String, Object> record) {
        return program.run(reader, record);
    }

    /**
     * The results of a row of bytes, as bytes; null if it needs columns, or has bytes that no String
     * has.
     */
    List<Object> runBytes(Map<String, Object> row) {
        Map<String, Object> record = new HashMap<>(row);
        for (Map.Entry<String, Object> value : record.entrySet()) {
            if (value.getValue() instanceof byte[] bytes) {
                Optional<String> text = StringBytes.decode(bytes);
                if (text.isEmpty()) {
                    return null;
                }
                value.setValue(text.get());
            }
        }
        Object[] results = run(record);
        if (results == null) {
            return null;
        }
        for (int i = 0; i < results.length; i++) {
            if (results[i] instanceof String text) {
                results[i] = StringBytes.encode(text);
            }
        }
        return Arrays.asList(results);
    }
}
