package io.flinkgpu.applications;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The latency that a line of a log tells: {@code latency=12ms}, {@code "took_ms":35}, {@code took 1.5
 * seconds}, {@code duration_us: 70}, {@code time: 0.25}, {@code refreshed in 41 ms}, or the request time
 * at the end of an access log's line. Without a unit, a number with a point is seconds, any other
 * milliseconds. The first one counts, and one in prose only if there is no named one.
 */
final class LogLatency {

    /** Digits that {@link Latency#millis} may have, after the point and in all. */
    static final int SCALE = 6;

    static final int PRECISION = 18;

    private static final String NUMBER = "(\\d{1,12}(?:\\.\\d{1,12})?)";
    private static final String UNIT =
            "(ns|nanos|us|\u00b5s|micros|ms|msecs?|millis(?:econds)?|s|secs?|seconds?)";

    /** A name of a time, perhaps with its unit, then the number, perhaps with its unit. */
    private static final Pattern NAMED =
            Pattern.compile(
                    "(?<![a-z0-9_-])(?:(?:request|response|processing|query|upstream_response)"
                            + "[_ ]?time|latency|duration|elapsed|took"
                            // Longer ones are dates.
                            + "|time(?=\"?[=:] ?\"?\\d{1,6}(?!\\d)))(?:_?"
                            + UNIT
                            + ")?\"?[=:] ?\"?"
                            + NUMBER
                            + "(?: ?"
                            + UNIT
                            + ")?(?![a-z0-9:]|\\.\\d)",
                    Pattern.CASE_INSENSITIVE);

    /** In prose a number is a latency only with its unit. */
    private static final Pattern PHRASE =
            Pattern.compile(
                    "(?<![a-z0-9_-])(?:took|in|latency|duration|elapsed)() "
                            + NUMBER
                            + " ?"
                            + UNIT
                            + "(?![a-z0-9])",
                    Pattern.CASE_INSENSITIVE);

    private static final Pattern ACCESS = Pattern.compile("\"() (\\d{1,6}\\.\\d{3})()\\s*$");

    private static final Pattern[] PATTERNS = {NAMED, PHRASE, ACCESS};

    private LogLatency() {}

    /** Milliseconds, rounded to nanoseconds; empty if the line tells none, or one of 30 years. */
    static Optional<BigDecimal> find(String line) {
        for (Pattern pattern : PATTERNS) {
            Matcher matcher = pattern.matcher(line);
            if (matcher.find()) {
                return Optional.of(millis(matcher)).filter(n -> n.precision() <= PRECISION);
            }
        }
        return Optional.empty();
    }

    private static BigDecimal millis(Matcher latency) {
        BigDecimal number = new BigDecimal(latency.group(2));
        String unit = latency.group(3) == null ? latency.group(1) : latency.group(3);
        return number.scaleByPowerOfTen(power(unit, number)).setScale(SCALE, RoundingMode.HALF_UP);
    }

    /** Of ten, to milliseconds. */
    private static int power(String unit, BigDecimal number) {
        if (unit == null || unit.isEmpty()) {
            return number.scale() > 0 ? 3 : 0;
        }
        return switch (Character.toLowerCase(unit.charAt(0))) {
            case 'n' -> -6;
            case 'u', '\u00b5' -> -3;
            case 's' -> 3;
            default -> unit.equalsIgnoreCase("micros") ? -3 : 0;
        };
    }
}
