package io.flinkgpu.parse;

import java.nio.charset.StandardCharsets;

/** Reads a double as its bits, of which NaN has one form. */
final class DoubleReader extends FieldReader {

    @Override
    boolean read(byte[] text, int from, int to) {
        int at = skipSign(text, from, to);
        String unsigned = new String(text, at, to - at, StandardCharsets.ISO_8859_1);
        // Of the texts that Double.parseDouble accepts, some are none of ours: "1f", "0x1p3", " 1".
        if (!unsigned.equals("NaN") && !unsigned.equals("Infinity") && !isNumber(text, at, to)) {
            return false;
        }
        double magnitude = Double.parseDouble(unsigned);
        word = Double.doubleToLongBits(text[from] == '-' ? -magnitude : magnitude);
        return true;
    }

    private static boolean isNumber(byte[] text, int from, int to) {
        int at = digitsEnd(text, from, to);
        int digits = at - from;
        if (at < to && text[at] == '.') {
            int fractionFrom = at + 1;
            at = digitsEnd(text, fractionFrom, to);
            digits += at - fractionFrom;
        }
        if (at < to && (text[at] == 'e' || text[at] == 'E')) {
            int exponentFrom = skipSign(text, at + 1, to);
            at = digitsEnd(text, exponentFrom, to);
            if (at == exponentFrom) {
                return false;
            }
        }
        return at == to && digits > 0;
    }

    @Override
    String expected() {
        return "a double: [+-]digits[.digits][e[+-]digits], NaN or Infinity";
    }
}
