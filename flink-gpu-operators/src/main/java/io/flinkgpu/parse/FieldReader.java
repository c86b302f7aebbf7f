package io.flinkgpu.parse;

import io.flinkgpu.api.lines.Field;

/** Reads the text of one field; keeps the last number it read. */
abstract class FieldReader {

    /** The number that was read last. */
    long word;

    /** What reads a field; null if it is skipped. */
    static FieldReader of(Field field) {
        return switch (field.format()) {
            case STRING -> new Utf8Reader();
            case INT -> new IntegerReader("an int", Integer.MIN_VALUE, Integer.MAX_VALUE);
            case LONG -> new IntegerReader("a long", Long.MIN_VALUE, Long.MAX_VALUE);
            case DECIMAL -> new DecimalReader(field.type().precision(), field.type().scale());
            case DOUBLE -> new DoubleReader();
            case EPOCH_MILLIS ->
                    new IntegerReader(
                            "milliseconds since 1970", Long.MIN_VALUE / 2, Long.MAX_VALUE / 2);
            case ISO_TIMESTAMP -> new IsoTimestampReader();
            case SKIPPED -> null;
        };
    }

    /**
     * Reads {@code text[from, to)}.
     *
     * @return whether it is what is expected
     */
    abstract boolean read(byte[] text, int from, int to);

    /** What is expected, as the end of a sentence that begins with "is not". */
    abstract String expected();

    /** The number that was read last, as {@link LineParser#word} gives it. */
    final long word() {
        return word;
    }

    static boolean isDigit(byte b) {
        return b >= '0' && b <= '9';
    }

    /** Where the digits that start at {@code from} end. */
    static int digitsEnd(byte[] text, int from, int to) {
        int at = from;
        while (at < to && isDigit(text[at])) {
            at++;
        }
        return at;
    }

    /** Where a number goes on behind its sign, if it has one. */
    static int skipSign(byte[] text, int from, int to) {
        return from < to && (text[from] == '+' || text[from] == '-') ? from + 1 : from;
    }
}
