package io.flinkgpu.sql.connector;

import io.flinkgpu.api.ColumnType;
import io.flinkgpu.api.Errors;
import io.flinkgpu.api.lines.Delimited;

import org.apache.flink.table.types.logical.DecimalType;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.table.types.logical.VarCharType;
import org.apache.flink.table.types.logical.utils.LogicalTypeChecks;

import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;

/** The format of lines that have the columns of a table, in their order. */
final class ColumnFormats {

    private static final int MILLIS_DIGITS = 3;
    private static final String FORMAT = ".format";
    private static final String ISO = "iso-timestamp";
    private static final String EPOCH = "epoch-millis";
    private static final String SKIPPED = "skipped";

    private ColumnFormats() {}

    /**
     * The format of a table.
     *
     * @param empty without fields
     * @param options of the table; of these, {@code fields.<column>.format} are used
     * @throws IllegalArgumentException if lines cannot have these columns, naming column and remedy
     */
    static Delimited of(Delimited empty, RowType columns, Map<String, String> options) {
        SortedSet<String> unknown = new TreeSet<>(options.keySet());
        unknown.removeIf(option -> !option.startsWith(LinesOptions.FIELDS));
        Delimited format = empty;
        for (RowType.RowField column : columns.getFields()) {
            String option = LinesOptions.FIELDS + column.getName() + FORMAT;
            unknown.remove(option);
            format = with(format, column.getName(), column.getType(), options.get(option));
        }
        if (!unknown.isEmpty()) {
            throw Errors.argument(
                    "an option of a field is 'fields.<column>.format': options=%s, columns=%s; name"
                            + " one of the columns",
                    unknown, columns.getFieldNames());
        }
        return format;
    }

    private static Delimited with(Delimited format, String name, LogicalType type, String asked) {
        if (SKIPPED.equals(asked)) {
            if (!type.isNullable()) {
                throw refused(name, type, "a skipped field reads as NULL", "leave NOT NULL out");
            }
            return format.skipped();
        }
        return switch (type.getTypeRoot()) {
            case TIMESTAMP_WITHOUT_TIME_ZONE, TIMESTAMP_WITH_LOCAL_TIME_ZONE ->
                    timestamp(format, name, type, asked);
            case VARCHAR, INTEGER, BIGINT, DOUBLE, DECIMAL -> {
                if (asked != null) {
                    throw refused(
                            name,
                            type,
                            "only timestamps have several formats: format='" + asked + "'",
                            "leave the option out, or skip the field with '" + SKIPPED + "'");
                }
                yield value(format, name, type);
            }
            default ->
                    throw refused(
                            name,
                            type,
                            "lines have no such type",
                            "declare STRING, INT, BIGINT, DOUBLE, DECIMAL, TIMESTAMP(3) or"
                                    + " TIMESTAMP_LTZ(3), and CAST it in the query");
        };
    }

    private static Delimited timestamp(
            Delimited format, String name, LogicalType type, String asked) {
        if (LogicalTypeChecks.getPrecision(type) != MILLIS_DIGITS) {
            throw refused(name, type, "times are milliseconds", "declare the precision (3)");
        }
        return switch (asked == null ? ISO : asked) {
            case ISO -> format.isoTimestamp(name);
            case EPOCH -> format.epochMillis(name);
            default ->
                    throw refused(
                            name,
                            type,
                            "no such format: format='" + asked + "'",
                            "use '" + ISO + "', '" + EPOCH + "' or '" + SKIPPED + "'");
        };
    }

    private static Delimited value(Delimited format, String name, LogicalType type) {
        if (type instanceof VarCharType text) {
            if (text.getLength() != VarCharType.MAX_LENGTH) {
                throw refused(name, type, "a text has any length", "declare STRING");
            }
            return format.string(name);
        }
        if (!type.isNullable()) {
            throw refused(name, type, "a number may be empty, which is NULL", "leave NOT NULL out");
        }
        return switch (type.getTypeRoot()) {
            case INTEGER -> format.intNumber(name);
            case BIGINT -> format.longNumber(name);
            case DOUBLE -> format.doubleNumber(name);
            default -> {
                DecimalType decimal = (DecimalType) type;
                if (decimal.getPrecision() > ColumnType.MAX_PRECISION) {
                    throw refused(
                            name,
                            type,
                            "a decimal has at most " + ColumnType.MAX_PRECISION + " digits",
                            "declare fewer, or STRING");
                }
                yield format.decimal(name, decimal.getPrecision(), decimal.getScale());
            }
        };
    }

    private static IllegalArgumentException refused(
            String name, LogicalType type, String problem, String remedy) {
        return Errors.argument("column '%s' is %s: %s; %s", name, type, problem, remedy);
    }
}
