package io.flinkgpu.sql.connector;

import io.flinkgpu.api.lines.LineFields;

import java.io.Serializable;
import java.math.BigDecimal;
import java.util.Arrays;

/** A condition on the fields of a line, as SQL has it: true, false or unknown. */
@FunctionalInterface
interface LineFilter extends Serializable {

    int FALSE = 0;
    int UNKNOWN = 1;
    int TRUE = 2;

    /** What it is of a line. */
    int of(LineFields line);

    static LineFilter and(LineFilter one, LineFilter other) {
        return line -> {
            int first = one.of(line);
            return first == FALSE ? FALSE : Math.min(first, other.of(line));
        };
    }

    static LineFilter or(LineFilter one, LineFilter other) {
        return line -> {
            int first = one.of(line);
            return first == TRUE ? TRUE : Math.max(first, other.of(line));
        };
    }

    static LineFilter not(LineFilter negated) {
        return line -> TRUE - negated.of(line);
    }

    static LineFilter isNull(int column) {
        return line -> line.isNull(column) ? TRUE : FALSE;
    }

    /** Of an integer, or a time as milliseconds. */
    static LineFilter number(int column, Comparison comparison, long constant) {
        return line ->
                line.isNull(column)
                        ? UNKNOWN
                        : comparison.holds(Long.compare(line.word(column), constant));
    }

    static LineFilter decimal(int column, int scale, Comparison comparison, BigDecimal constant) {
        return line ->
                line.isNull(column)
                        ? UNKNOWN
                        : comparison.holds(
                                BigDecimal.valueOf(line.word(column), scale).compareTo(constant));
    }

    /** As Java compares: NaN is other than any. */
    static LineFilter real(int column, Comparison comparison, double constant) {
        return line -> {
            if (line.isNull(column)) {
                return UNKNOWN;
            }
            double value = Double.longBitsToDouble(line.word(column));
            boolean ordered = value < constant || value > constant || value == constant;
            return ordered
                    ? comparison.holds(value < constant ? -1 : value > constant ? 1 : 0)
                    : comparison == Comparison.OTHER ? TRUE : FALSE;
        };
    }

    /** Whether a text has the same bytes, or others. */
    static LineFilter text(int column, boolean equal, byte[] constant) {
        return line ->
                line.isNull(column)
                        ? UNKNOWN
                        : Arrays.equals(line.text(column), constant) == equal ? TRUE : FALSE;
    }
}
