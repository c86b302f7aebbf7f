package io.flinkgpu.parse;

/** Reads a decimal as its unscaled value. */
final class DecimalReader extends FieldReader {

    private final int precision;
    private final int scale;

    DecimalReader(int precision, int scale) {
        this.precision = precision;
        this.scale = scale;
    }

    @Override
    boolean read(byte[] text, int from, int to) {
        int integerFrom = skipSign(text, from, to);
        int integerTo = digitsEnd(text, integerFrom, to);
        boolean hasPoint = integerTo < to && text[integerTo] == '.';
        int fractionFrom = hasPoint ? integerTo + 1 : integerTo;
        int fractionTo = digitsEnd(text, fractionFrom, to);
        int fractionDigits = fractionTo - fractionFrom;
        if (fractionTo < to || integerTo == integerFrom && fractionDigits == 0) {
            return false;
        }
        int at = integerFrom;
        while (at < integerTo && text[at] == '0') {
            at++;
        }
        if (integerTo - at > precision - scale || fractionDigits > scale) {
            return false;
        }
        long unscaled = 0;
        for (; at < fractionTo; at++) {
            if (text[at] != '.') {
                unscaled = 10 * unscaled + (text[at] - '0');
            }
        }
        for (int i = fractionDigits; i < scale; i++) {
            unscaled *= 10;
        }
        word = text[from] == '-' ? -unscaled : unscaled;
        return true;
    }

    @Override
    String expected() {
        return "a decimal: at most %d digits before the point and %d behind it"
                .formatted(precision - scale, scale);
    }
}
