package io.flinkgpu.parse;

import java.time.LocalDate;
import java.time.LocalTime;
import java.time.YearMonth;

/** Reads a date and a time as milliseconds since 1970. */
final class IsoTimestampReader extends FieldReader {

    private static final String PATTERN = "dddd-dd-dd dd:dd:dd";
    private static final int MAX_FRACTION_DIGITS = 9;
    private static final int MILLIS_DIGITS = 3;
    private static final long DAY_MILLIS = 86_400_000;
    private static final int MINUTE_MILLIS = 60_000;

    @Override
    boolean read(byte[] text, int from, int to) {
        int at = from + PATTERN.length();
        if (at > to || !hasPattern(text, from)) {
            return false;
        }
        int fractionMillis = 0;
        if (at < to && text[at] == '.') {
            int fractionFrom = at + 1;
            at = digitsEnd(text, fractionFrom, to);
            if (at == fractionFrom || at - fractionFrom > MAX_FRACTION_DIGITS) {
                return false;
            }
            for (int i = fractionFrom; i < fractionFrom + MILLIS_DIGITS; i++) {
                fractionMillis = 10 * fractionMillis + (i < at ? text[i] - '0' : 0);
            }
        }
        if (!hasDate(text, from) || !hasTime(text, from) || !hasOffset(text, at, to)) {
            return false;
        }
        LocalDate date = LocalDate.of(year(text, from), two(text, from + 5), two(text, from + 8));
        LocalTime time =
                LocalTime.of(two(text, from + 11), two(text, from + 14), two(text, from + 17));
        word =
                date.toEpochDay() * DAY_MILLIS
                        + time.toSecondOfDay() * 1000L
                        + fractionMillis
                        - (long) MINUTE_MILLIS * offsetMinutes(text, at, to);
        return true;
    }

    private static boolean hasPattern(byte[] text, int from) {
        for (int i = 0; i < PATTERN.length(); i++) {
            byte b = text[from + i];
            boolean fits =
                    switch (PATTERN.charAt(i)) {
                        case 'd' -> isDigit(b);
                        case ' ' -> b == ' ' || b == 'T';
                        default -> b == PATTERN.charAt(i);
                    };
            if (!fits) {
                return false;
            }
        }
        return true;
    }

    private static boolean hasDate(byte[] text, int from) {
        int month = two(text, from + 5);
        int day = two(text, from + 8);
        return month >= 1
                && month <= 12
                && day >= 1
                && day <= YearMonth.of(year(text, from), month).lengthOfMonth();
    }

    private static boolean hasTime(byte[] text, int from) {
        return two(text, from + 11) < 24 && two(text, from + 14) < 60 && two(text, from + 17) < 60;
    }

    /** Whether the rest is nothing, {@code Z}, {@code +HHmm} or {@code +HH:mm}. */
    private static boolean hasOffset(byte[] text, int at, int to) {
        int length = to - at;
        if (length == 0 || length == 1 && text[at] == 'Z') {
            return true;
        }
        boolean hasColon = length == 6 && text[at + 3] == ':';
        return (length == 5 || hasColon)
                && skipSign(text, at, to) > at
                && digitsEnd(text, at + 1, at + 3) == at + 3
                && digitsEnd(text, to - 2, to) == to
                && two(text, at + 1) < 24
                && two(text, to - 2) < 60;
    }

    private static int offsetMinutes(byte[] text, int at, int to) {
        if (to - at < 2) {
            return 0;
        }
        int minutes = 60 * two(text, at + 1) + two(text, to - 2);
        return text[at] == '-' ? -minutes : minutes;
    }

    private static int year(byte[] text, int from) {
        return 100 * two(text, from) + two(text, from + 2);
    }

    private static int two(byte[] text, int at) {
        return 10 * (text[at] - '0') + (text[at + 1] - '0');
    }

    @Override
    String expected() {
        return "a timestamp: yyyy-MM-ddTHH:mm:ss[.digits][Z or +-HH:mm]";
    }
}
