package io.flinkgpu.text.fields;

import java.nio.charset.StandardCharsets;

/** Escapes of JSON strings (RFC 8259 section 7). */
final class Unescaped {

    private static final String LETTERS = "\"\\/bfnrt";
    private static final String MEANINGS = "\"\\/\b\f\n\r\t";

    private Unescaped() {}

    /** The bytes of the escape at an offset; 0 if it is none. */
    static int sizeAt(byte[] text, int at, int end) {
        if (at + 1 >= end) {
            return 0;
        }
        if (LETTERS.indexOf(text[at + 1]) >= 0) {
            return 2;
        }
        return text[at + 1] == 'u' && unit(text, at + 2, end) >= 0 ? 6 : 0;
    }

    /** The code unit of four hex digits; -1 if they are none. */
    private static int unit(byte[] text, int from, int end) {
        if (from + 4 > end) {
            return -1;
        }
        int value = 0;
        for (int i = from; i < from + 4; i++) {
            int digit = text[i] < 0 ? -1 : Character.digit(text[i], 16);
            if (digit < 0) {
                return -1;
            }
            value = value << 4 | digit;
        }
        return value;
    }

    /** What a string with well-formed escapes says. */
    static String text(byte[] record, int from, int to) {
        StringBuilder text = new StringBuilder();
        int at = from;
        while (at < to) {
            if (record[at] != '\\') {
                int run = at;
                while (run < to && record[run] != '\\') {
                    run++;
                }
                text.append(new String(record, at, run - at, StandardCharsets.UTF_8));
                at = run;
            } else if (record[at + 1] == 'u') {
                text.append((char) unit(record, at + 2, to));
                at += 6;
            } else {
                text.append(MEANINGS.charAt(LETTERS.indexOf(record[at + 1])));
                at += 2;
            }
        }
        return text.toString();
    }
}
