package io.flinkgpu.testkit;

import io.flinkgpu.api.lines.Delimited;
import io.flinkgpu.api.lines.Field;
import io.flinkgpu.api.lines.FieldFormat;
import io.flinkgpu.parse.LineParser;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The parser of lines against regular expressions, BigDecimal and java.time.
 *
 * <p>Covers: LineParser.
 */
class LineParserFuzzTest {

    private static final long SEED = Long.getLong("lines.seed", 20_261_121);
    private static final int FORMATS = 300;
    private static final int LINES = 40;

    private static final Object MALFORMED = "malformed";
    private static final Object NULL = "null";
    private static final Pattern DECIMAL = Pattern.compile("[+-]?0*([0-9]*)(?:\\.([0-9]*))?");
    private static final Pattern DOUBLE =
            Pattern.compile("[+-]?(NaN|Infinity|([0-9]+\\.?[0-9]*|\\.[0-9]+)([eE][+-]?[0-9]+)?)");
    private static final Pattern ISO =
            Pattern.compile(
                    "([0-9]{4}-[0-9]{2}-[0-9]{2})[T ]([0-9]{2}:[0-9]{2}:[0-9]{2}(?:\\.[0-9]{1,9})?)"
                            + "(?:Z|([+-])([01][0-9]|2[0-3]):?([0-5][0-9]))?");

    @ParameterizedTest
    @ValueSource(ints = {0, 20, 200})
    void anyFormatAndAnyLines(int oddPerMille) {
        int wellFormed = 0;
        for (int i = 0; i < FORMATS; i++) {
            RandomLines lines = new RandomLines(new Random(SEED + i), oddPerMille);
            Delimited format = lines.format();
            LineParser parser = new LineParser(format);
            for (int n = 0; n < LINES; n++) {
                byte[] line = lines.line(format);
                List<Object> expected = read(format, line);
                String description =
                        "'%s' as %s, seed=%d"
                                .formatted(latin1(line, 0, line.length), format, SEED + i);
                String reason = parser.parse(line, 0, line.length);
                assertThat(reason == null)
                        .as(description + ": " + reason)
                        .isEqualTo(expected != null);
                if (expected != null) {
                    wellFormed++;
                    assertThat(fields(format, parser)).as(description).isEqualTo(expected);
                }
            }
        }
        assertThat(wellFormed).isGreaterThan(FORMATS * LINES / 4);
    }

    private static List<Object> fields(Delimited format, LineParser parser) {
        List<Object> values = new ArrayList<>();
        for (int i = 0; i < format.fields().size(); i++) {
            FieldFormat type = format.fields().get(i).format();
            values.add(
                    type == FieldFormat.SKIPPED
                            ? NULL
                            : type == FieldFormat.STRING
                                    ? latin1(parser.text(i), 0, parser.text(i).length)
                                    : parser.isNull(i) ? NULL : (Object) parser.word(i));
        }
        return values;
    }

    /** The values of a line; null if it is malformed. */
    private static List<Object> read(Delimited format, byte[] line) {
        int length =
                line.length > 0 && line[line.length - 1] == '\r' ? line.length - 1 : line.length;
        String text = latin1(line, 0, length);
        String separator = Pattern.quote(String.valueOf((char) format.separator()));
        String plain = "((?!%s).)*+".formatted(separator);
        String field = format.isQuoted() ? "\"(?:[^\"]|\"\")*+\"|(?!\")" + plain : plain;
        Matcher next =
                Pattern.compile(
                                "(?<field>" + field + ")(?<end>" + separator + "|\\z)",
                                Pattern.DOTALL)
                        .matcher(text);
        List<Object> values = new ArrayList<>();
        int at = 0;
        for (Field wanted : format.fields()) {
            if (at > length || !next.region(at, length).lookingAt()) {
                return null;
            }
            String raw = next.group("field");
            boolean inQuotes = format.isQuoted() && raw.startsWith("\"");
            Object value =
                    value(
                            wanted,
                            inQuotes
                                    ? raw.substring(1, raw.length() - 1).replace("\"\"", "\"")
                                    : raw);
            if (value == MALFORMED) {
                return null;
            }
            values.add(value);
            at = next.group("end").isEmpty() ? length + 1 : next.end();
        }
        return at == length + 1 ? values : null;
    }

    private static Object value(Field field, String text) {
        if (field.format() == FieldFormat.SKIPPED || text.isEmpty() && isNullable(field)) {
            return NULL;
        }
        return switch (field.format()) {
            case STRING -> string(text);
            case INT -> integer(text, BigInteger.ONE.shiftLeft(31));
            case LONG -> integer(text, BigInteger.ONE.shiftLeft(63));
            case EPOCH_MILLIS -> integer(text, BigInteger.ONE.shiftLeft(62));
            case DECIMAL -> decimal(text, field.valueType().precision(), field.valueType().scale());
            case DOUBLE ->
                    DOUBLE.matcher(text).matches()
                            ? (Object) Double.doubleToLongBits(Double.parseDouble(text))
                            : MALFORMED;
            default -> timestamp(text);
        };
    }

    private static boolean isNullable(Field field) {
        return field.isNumber() && !field.isTimestamp();
    }

    private static Object string(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
        byte[] again = new String(bytes, StandardCharsets.UTF_8).getBytes(StandardCharsets.UTF_8);
        return Arrays.equals(bytes, again) ? text : MALFORMED;
    }

    private static Object integer(String text, BigInteger limit) {
        if (!text.matches("[+-]?[0-9]+")) {
            return MALFORMED;
        }
        BigInteger number = new BigInteger(text);
        boolean fits = number.compareTo(limit) < 0 && number.compareTo(limit.negate()) >= 0;
        return fits ? (Object) number.longValueExact() : MALFORMED;
    }

    private static Object decimal(String text, int precision, int scale) {
        Matcher parts = DECIMAL.matcher(text);
        if (!parts.matches() || text.chars().noneMatch(Character::isDigit)) {
            return MALFORMED;
        }
        int behind = parts.group(2) == null ? 0 : parts.group(2).length();
        return parts.group(1).length() > precision - scale || behind > scale
                ? MALFORMED
                : (Object) new BigDecimal(text).setScale(scale).unscaledValue().longValueExact();
    }

    private static Object timestamp(String text) {
        Matcher parts = ISO.matcher(text);
        if (!parts.matches()) {
            return MALFORMED;
        }
        try {
            LocalDateTime local = LocalDateTime.parse(parts.group(1) + "T" + parts.group(2));
            long minutes =
                    parts.group(3) == null
                            ? 0
                            : Integer.parseInt(parts.group(4)) * 60
                                    + Integer.parseInt(parts.group(5));
            LocalDateTime utc =
                    "-".equals(parts.group(3))
                            ? local.plusMinutes(minutes)
                            : local.minusMinutes(minutes);
            return utc.toInstant(ZoneOffset.UTC).toEpochMilli();
        } catch (DateTimeException e) {
            return MALFORMED;
        }
    }

    private static String latin1(byte[] bytes, int from, int length) {
        return new String(bytes, from, length, StandardCharsets.ISO_8859_1);
    }
}
