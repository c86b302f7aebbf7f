package io.flinkgpu.applications;

import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The time that a line of a log begins with. Without an offset it is taken as UTC; times without a year
 * are none.
 */
final class LogTime {

    private static final int HEAD_CHARS = 200;

    private static final String CLOCK =
            "(?<hour>\\d\\d):(?<minute>\\d\\d):(?<second>\\d\\d)(?:[.,](?<fraction>\\d{1,9}))?";
    private static final String OFFSET = "(?: ?(?<offset>Z|[+-]\\d\\d:?\\d\\d))?";

    /** 2026-03-02T08:00:00.250Z, 2026-03-02 08:00:00,250. */
    private static final Pattern ISO =
            Pattern.compile(
                    "(?<!\\d)(?<year>\\d{4})-(?<month>\\d\\d)-(?<day>\\d\\d)[T ]" + CLOCK + OFFSET);

    /** 02/Mar/2026:08:00:00 +0000, as access logs have it. */
    private static final Pattern ACCESS =
            Pattern.compile(
                    "(?<!\\d)(?<day>\\d\\d)/(?<month>[A-Z][a-z]{2})/(?<year>\\d{4}):"
                            + CLOCK
                            + OFFSET);

    /** 26/03/02 08:00:00 at the start of the line, as Spark has it. */
    private static final Pattern SHORT =
            Pattern.compile("^(?<year>\\d\\d)/(?<month>\\d\\d)/(?<day>\\d\\d) " + CLOCK + OFFSET);

    private static final Pattern[] PATTERNS = {ISO, ACCESS, SHORT};
    private static final String MONTHS = "JanFebMarAprMayJunJulAugSepOctNovDec";

    private LogTime() {}

    /** Milliseconds since the epoch; empty if there is no time near the line's start. */
    static OptionalLong find(String line) {
        String head = line.length() <= HEAD_CHARS ? line : line.substring(0, HEAD_CHARS);
        for (Pattern pattern : PATTERNS) {
            Matcher matcher = pattern.matcher(head);
            if (matcher.find()) {
                return millis(matcher);
            }
        }
        return OptionalLong.empty();
    }

    private static OptionalLong millis(Matcher time) {
        try {
            LocalDateTime local =
                    LocalDateTime.of(
                            year(time.group("year")),
                            month(time.group("month")),
                            Integer.parseInt(time.group("day")),
                            Integer.parseInt(time.group("hour")),
                            Integer.parseInt(time.group("minute")),
                            Integer.parseInt(time.group("second")));
            String offset = time.group("offset");
            ZoneOffset zone = offset == null ? ZoneOffset.UTC : ZoneOffset.of(offset);
            String fraction = time.group("fraction");
            long fractionMillis =
                    fraction == null ? 0 : Long.parseLong((fraction + "00").substring(0, 3));
            return OptionalLong.of(local.toEpochSecond(zone) * 1_000 + fractionMillis);
        } catch (DateTimeException e) {
            // Such as a 31st of February.
            return OptionalLong.empty();
        }
    }

    private static int year(String digits) {
        int year = Integer.parseInt(digits);
        return digits.length() == 2 ? 2_000 + year : year;
    }

    private static int month(String text) {
        // No month has index -1, so an unknown name is refused with month 0.
        return Character.isDigit(text.charAt(0))
                ? Integer.parseInt(text)
                : Math.floorDiv(MONTHS.indexOf(text), 3) + 1;
    }
}
