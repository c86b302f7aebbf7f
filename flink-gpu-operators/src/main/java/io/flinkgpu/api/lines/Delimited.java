package io.flinkgpu.api.lines;

import io.flinkgpu.api.ColumnType;
import io.flinkgpu.api.Errors;

import org.apache.flink.annotation.PublicEvolving;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;

/**
 * How lines are cut into fields, and what each field is. Immutable: each method gives a copy with one
 * more field.
 *
 * <pre>{@code
 * Delimited.of(';').string("station").decimal("temp", 1)
 * }</pre>
 *
 * <p>A line has exactly these fields; a {@code '\r'} at its end is not part of the last one. A field is
 * all bytes between two separators, blanks included. A number without a byte is null; a timestamp
 * always has one. What is accepted, digits being ASCII ones:
 *
 * <pre>
 *   string          valid UTF-8; may be empty
 *   int, long       [+-]digits in range
 *   decimal         [+-]digits[.digits], [+-].digits, [+-]digits. with at most scale digits behind the
 *                   point and precision - scale before it, leading zeros not counted
 *   double          a decimal of any length [eE[+-]digits], [+-]NaN, [+-]Infinity; correctly rounded,
 *                   as Double.parseDouble
 *   epoch millis    as a long, Long.MIN_VALUE / 2 to Long.MAX_VALUE / 2
 *   iso timestamp   yyyy-MM-dd, 'T' or a blank, HH:mm:ss[.digits up to 9], nothing (UTC), Z or +-HH[:]mm;
 *                   a day of the calendar, hours to 23; cut to milliseconds
 *   skipped         any bytes
 * </pre>
 *
 * <p>All else makes the line malformed, as a whole.
 */
@PublicEvolving
public final class Delimited implements Serializable {

    private static final long serialVersionUID = 1L;

    private final byte separator;
    private final boolean quoted;
    private final ArrayList<Field> fields;

    private Delimited(byte separator, boolean quoted, List<Field> fields) {
        this.separator = separator;
        this.quoted = quoted;
        this.fields = new ArrayList<>(fields);
    }

    /**
     * Begins a format without fields.
     *
     * @param separator an ASCII character other than a line's end, a quote, a sign, a point, and letters
     *     and digits; {@code ':'} only if ISO timestamps are in quotes
     */
    public static Delimited of(char separator) {
        if (separator > 0x7f || "\n\r\"+-.".indexOf(separator) >= 0 || isWord(separator)) {
            throw Errors.argument(
                    "a separator is one ASCII character that cannot be in a number or end a line:"
                            + " separator=%s; use for example ',', ';', '|' or '\\t'",
                    (int) separator);
        }
        return new Delimited((byte) separator, false, List.of());
    }

    /**
     * Lets fields be in quotes, numbers and skipped ones too, as RFC 4180 says: a field that starts with
     * {@code '"'} ends with one; separators in it are text, and two quotes are one. A quote in a field
     * that does not start with one is text. Lines still end at every {@code '\n'}.
     */
    public Delimited quoted() {
        return new Delimited(separator, true, fields);
    }

    /** A text: the bytes of the field, UTF-8. */
    public Delimited string(String name) {
        return with(name, FieldFormat.STRING, ColumnType.TEXT);
    }

    /** An integer in the range of an int. */
    public Delimited intNumber(String name) {
        return with(name, FieldFormat.INT, ColumnType.INT);
    }

    /** An integer in the range of a long. */
    public Delimited longNumber(String name) {
        return with(name, FieldFormat.LONG, ColumnType.LONG);
    }

    /** A decimal number, read as the nearest double. */
    public Delimited doubleNumber(String name) {
        return with(name, FieldFormat.DOUBLE, ColumnType.DOUBLE);
    }

    /** A decimal of at most 18 digits, so many of them behind the point. */
    public Delimited decimal(String name, int scale) {
        return decimal(name, ColumnType.MAX_PRECISION, scale);
    }

    /** A decimal of so many digits in all, and so many of them behind the point. */
    public Delimited decimal(String name, int precision, int scale) {
        return with(name, FieldFormat.DECIMAL, ColumnType.decimal(precision, scale));
    }

    /** Milliseconds since 1970. */
    public Delimited epochMillis(String name) {
        return with(name, FieldFormat.EPOCH_MILLIS, ColumnType.TIMESTAMP);
    }

    /** A date and a time as ISO 8601 writes them. */
    public Delimited isoTimestamp(String name) {
        return with(name, FieldFormat.ISO_TIMESTAMP, ColumnType.TIMESTAMP);
    }

    /** A field that is there and not read. */
    public Delimited skipped() {
        List<Field> more = new ArrayList<>(fields);
        more.add(new Field("", FieldFormat.SKIPPED, null));
        return new Delimited(separator, quoted, more);
    }

    /** What is between fields. */
    public byte separator() {
        return separator;
    }

    /** Whether fields may be in quotes. */
    public boolean isQuoted() {
        return quoted;
    }

    /** The fields in the order of the line. */
    public List<Field> fields() {
        return List.copyOf(fields);
    }

    /**
     * Where a field is.
     *
     * @throws IllegalArgumentException if there is none of this name, with those there are
     */
    public int indexOf(String name) {
        for (int i = 0; i < fields.size(); i++) {
            if (fields.get(i).format() != FieldFormat.SKIPPED
                    && fields.get(i).name().equals(name)) {
                return i;
            }
        }
        throw Errors.argument(
                "the format has no such field: field='%s', fields=%s; name one of them",
                name, fields.stream().map(Field::name).filter(n -> !n.isEmpty()).toList());
    }

    @Override
    public String toString() {
        return "Delimited[separator='%c', quoted=%b, fields=%s]"
                .formatted((char) separator, quoted, fields);
    }

    private Delimited with(String name, FieldFormat format, ColumnType type) {
        Errors.present("name", name);
        if (name.isEmpty() || fields.stream().anyMatch(field -> field.name().equals(name))) {
            throw Errors.argument(
                    "a field needs a name of its own: field='%s'; use skipped() to skip one", name);
        }
        List<Field> more = new ArrayList<>(fields);
        more.add(new Field(name, format, type));
        return new Delimited(separator, quoted, more);
    }

    private static boolean isWord(char c) {
        return c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z';
    }
}
