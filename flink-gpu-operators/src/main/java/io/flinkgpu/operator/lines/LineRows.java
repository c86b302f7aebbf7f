package io.flinkgpu.operator.lines;

import io.flinkgpu.api.lines.Delimited;
import io.flinkgpu.api.lines.Field;
import io.flinkgpu.api.lines.FieldFormat;
import io.flinkgpu.api.lines.LineFields;
import io.flinkgpu.api.lines.LineMapper;

import org.apache.flink.annotation.Internal;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.types.Row;
import org.apache.flink.types.RowKind;
import org.apache.flink.types.RowUtils;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Lines as rows: every field but the skipped ones, found by position and by name. Strings are {@code
 * String}, numbers the class of their type or null, timestamps {@code Long}.
 */
@Internal
public final class LineRows implements LineMapper<Row> {

    private static final long serialVersionUID = 1L;

    private final ArrayList<Field> fields;
    private final int[] columns;
    private final LinkedHashMap<String, Integer> positions = new LinkedHashMap<>();

    public LineRows(Delimited format) {
        fields = new ArrayList<>(format.fields());
        columns = columns(format);
        for (int column : columns) {
            positions.put(fields.get(column).name(), positions.size());
        }
    }

    /** The type of a format's rows. */
    public static TypeInformation<Row> type(Delimited format) {
        List<Field> fields = format.fields();
        int[] columns = columns(format);
        TypeInformation<?>[] types = new TypeInformation<?>[columns.length];
        String[] names = new String[columns.length];
        for (int i = 0; i < columns.length; i++) {
            Field field = fields.get(columns[i]);
            types[i] = type(field.format());
            names[i] = field.name();
        }
        return Types.ROW_NAMED(names, types);
    }

    /** Where a field is in a row. */
    public static int position(Delimited format, int field) {
        return (int)
                format.fields().subList(0, field).stream()
                        .filter(before -> before.format() != FieldFormat.SKIPPED)
                        .count();
    }

    @Override
    public Row map(LineFields line) {
        Object[] values = new Object[columns.length];
        for (int i = 0; i < columns.length; i++) {
            values[i] = value(line, columns[i]);
        }
        return RowUtils.createRowWithNamedPositions(RowKind.INSERT, values, positions);
    }

    private Object value(LineFields line, int column) {
        Field field = fields.get(column);
        if (field.format() != FieldFormat.STRING && line.isNull(column)) {
            return null;
        }
        return switch (field.format()) {
            case STRING -> new String(line.text(column), StandardCharsets.UTF_8);
            case INT -> (int) line.word(column);
            case LONG, EPOCH_MILLIS, ISO_TIMESTAMP -> line.word(column);
            case DOUBLE -> Double.longBitsToDouble(line.word(column));
            case DECIMAL -> BigDecimal.valueOf(line.word(column), field.type().scale());
            case SKIPPED -> throw noColumn();
        };
    }

    private static TypeInformation<?> type(FieldFormat format) {
        return switch (format) {
            case STRING -> Types.STRING;
            case INT -> Types.INT;
            case DOUBLE -> Types.DOUBLE;
            case DECIMAL -> Types.BIG_DEC;
            case LONG, EPOCH_MILLIS, ISO_TIMESTAMP -> Types.LONG;
            case SKIPPED -> throw noColumn();
        };
    }

    private static IllegalArgumentException noColumn() {
        return new IllegalArgumentException("a skipped field is no column of a row");
    }

    private static int[] columns(Delimited format) {
        List<Field> fields = format.fields();
        return IntStream.range(0, fields.size())
                .filter(i -> fields.get(i).format() != FieldFormat.SKIPPED)
                .toArray();
    }
}
