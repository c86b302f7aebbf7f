package io.flinkgpu.parse;

/** Reads {@code [+-]digits} in a range. */
final class IntegerReader extends FieldReader {

    private final String what;
    private final long min;
    private final long max;

    /**
     * @param min negative
     * @param max at least 9, and at most {@code -min}
     */
    IntegerReader(String what, long min, long max) {
        this.what = what;
        this.min = min;
        this.max = max;
    }

    @Override
    boolean read(byte[] text, int from, int to) {
        int at = skipSign(text, from, to);
        if (at == to || digitsEnd(text, at, to) < to) {
            return false;
        }
        // Summed below zero, where there is room for Long.MIN_VALUE.
        boolean negative = text[from] == '-';
        long limit = negative ? min : -max;
        long sum = 0;
        for (; at < to; at++) {
            int digit = text[at] - '0';
            if (sum < (limit + digit) / 10) {
                return false;
            }
            sum = 10 * sum - digit;
        }
        word = negative ? sum : -sum;
        return true;
    }

    @Override
    String expected() {
        return "%s: [+-]digits, %d to %d".formatted(what, min, max);
    }
}
