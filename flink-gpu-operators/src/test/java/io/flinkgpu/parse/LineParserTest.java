package io.flinkgpu.parse;

import io.flinkgpu.api.lines.Delimited;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.charset.StandardCharsets;
import java.time.Instant;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class LineParserTest {

    private static final Delimited STATIONS =
            Delimited.of(';').string("station").decimal("temp", 1);

    @Test
    void readsALine() {
        LineParser parser = parsed(STATIONS, "São Tomé;-12.3");
        assertThat(parser.text(0)).isEqualTo(utf8("São Tomé"));
        assertThat(parser.word(1)).isEqualTo(-123);
        assertThat(parser.isNull(1)).isFalse();
    }

    @Test
    void readsAPartOfAnArrayWithTheCarriageReturnAtItsEnd() {
        LineParser parser = new LineParser(STATIONS);
        byte[] bytes = utf8("x\nBonn;3\r\ny");
        assertThat(parser.parse(bytes, 2, 9)).isNull();
        assertThat(parser.text(0)).isEqualTo(utf8("Bonn"));
        assertThat(parser.word(1)).isEqualTo(30);
    }

    @Test
    void keepsItsOwnCopyOfTexts() {
        LineParser parser = new LineParser(STATIONS);
        byte[] bytes = utf8("Bonn;3");
        parser.parse(bytes, 0, bytes.length);
        bytes[0] = 'b';
        assertThat(parser.text(0)).isEqualTo(utf8("Bonn"));
    }

    @Test
    void aNumberWithoutAByteIsNull() {
        Delimited format =
                Delimited.of(',').intNumber("i").longNumber("l").decimal("d", 2).doubleNumber("f");
        LineParser parser = parsed(format, ",,,\r");
        for (int field = 0; field < 4; field++) {
            assertThat(parser.isNull(field)).isTrue();
            assertThat(parser.word(field)).isZero();
        }
        assertThat(parser.parse(utf8("1,2,3,4"), 0, 7)).isNull();
        for (int field = 0; field < 4; field++) {
            assertThat(parser.isNull(field)).isFalse();
        }
    }

    @Test
    void anEmptyLineIsAFieldWithoutAByte() {
        assertThat(parsed(Delimited.of(',').string("s"), "").text(0)).isEmpty();
        assertThat(parsed(Delimited.of(',').intNumber("i"), "").isNull(0)).isTrue();
        assertThat(malformed(STATIONS, ""))
                .isEqualTo("field 'temp': is missing: the line has 1 of 2 fields");
    }

    @Test
    void onlyTheLastOfSeveralCarriageReturnsEndsTheLine() {
        assertThat(parsed(Delimited.of(',').string("s"), "a\r\r").text(0)).isEqualTo(utf8("a\r"));
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0",
        "-0, 0",
        "+0, 0",
        "7, 7",
        "+7, 7",
        "-7, -7",
        "007, 7",
        "000000000000000000000000000000000012, 12",
        "2147483647, 2147483647",
        "-2147483648, -2147483648",
        "-0002147483648, -2147483648"
    })
    void ints(String text, long expected) {
        assertThat(number(Delimited.of(',').intNumber("n"), text)).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "+",
                "-",
                "--1",
                "+-1",
                "1-",
                "1 ",
                " 1",
                "1.0",
                "1e3",
                "0x1",
                "a",
                "١",
                "1_000",
                "2147483648",
                "-2147483649",
                "99999999999999999999999999"
            })
    void notInts(String text) {
        assertThat(malformed(Delimited.of(',').intNumber("n"), text))
                .isEqualTo(
                        "field 'n': '"
                                + text
                                + "' is not an int: [+-]digits, -2147483648 to 2147483647");
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1, -1, Long.MAX_VALUE, Long.MIN_VALUE, Long.MAX_VALUE - 1})
    void longs(long number) {
        assertThat(number(Delimited.of(',').longNumber("n"), "" + number)).isEqualTo(number);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"9223372036854775808", "-9223372036854775809", "92233720368547758070", "1L"})
    void notLongs(String text) {
        assertThat(malformed(Delimited.of(',').longNumber("n"), text)).contains("is not a long");
    }

    @ParameterizedTest
    @CsvSource({
        "12.34, 1234",
        "-12.34, -1234",
        "+12.34, 1234",
        "12, 1200",
        "12., 1200",
        ".5, 50",
        "-.05, -5",
        "0.00, 0",
        "-0.0, 0",
        "00012.3, 1230",
        "999.99, 99999",
        "-999.99, -99999",
        "000., 0"
    })
    void decimals(String text, long unscaled) {
        assertThat(number(Delimited.of(',').decimal("n", 5, 2), text)).isEqualTo(unscaled);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                ".", "-", "+", "-.", "1.2.3", "1.-2", "1..2", "1.234", "1.230", "1000", "1000.0",
                "1e2", "NaN", " 1", "1 ", "1,5", "--1", "٣.٣"
            })
    void notDecimals(String text) {
        assertThat(malformed(Delimited.of(';').decimal("n", 5, 2), text))
                .isEqualTo(
                        "field 'n': '"
                                + text
                                + "' is not a decimal: at most 3 digits before the point and 2 behind"
                                + " it");
    }

    @Test
    void decimalsOfTheGreatestPrecision() {
        assertThat(number(Delimited.of(',').decimal("n", 18), "-.999999999999999999"))
                .isEqualTo(-999_999_999_999_999_999L);
        assertThat(number(Delimited.of(',').decimal("n", 0), "999999999999999999"))
                .isEqualTo(999_999_999_999_999_999L);
        assertThat(malformed(Delimited.of(',').decimal("n", 18), "1")).contains("at most 0 digits");
        assertThat(number(Delimited.of(',').decimal("n", 18), "0.5"))
                .isEqualTo(500_000_000_000_000_000L);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "0",
                "-0",
                "0.0",
                "-0.0",
                "1",
                "1.",
                ".1",
                "+1.5e3",
                "1e-5",
                "1E+05",
                "4.9e-324",
                "2.4e-324",
                "2.5e-324",
                "1.7976931348623157e308",
                "1.7976931348623159e308",
                "1e400",
                "-1e400",
                "1e-400",
                "1e99999999999",
                "1e-99999999999",
                "0e99999999999",
                "9007199254740993",
                "9007199254740992.99999999999999999999999999",
                "2.2250738585072011e-308",
                "2.2250738585072012e-308",
                "6631236846766476e-316",
                "123456789012345678901234567890",
                "NaN",
                "-NaN",
                "+NaN",
                "Infinity",
                "-Infinity",
                "+Infinity",
                "00000000000000000000000000000000000000000000000000000.1"
            })
    void doubles(String text) {
        assertThat(number(Delimited.of(',').doubleNumber("n"), text))
                .isEqualTo(Double.doubleToLongBits(Double.parseDouble(text)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                ".",
                "-",
                "e",
                "e5",
                ".e5",
                "1e",
                "1e+",
                "1e5.",
                "1e5e5",
                "1f",
                "1d",
                "1D",
                "0x1p3",
                " 1",
                "1 ",
                "nan",
                "NAN",
                "inf",
                "Inf",
                "infinity",
                "--1",
                "1.2.3",
                "1e--5",
                "NaN1",
                "Infinity "
            })
    void notDoubles(String text) {
        assertThat(malformed(Delimited.of(',').doubleNumber("n"), text))
                .isEqualTo(
                        "field 'n': '"
                                + text
                                + "' is not a double: [+-]digits[.digits][e[+-]digits], NaN or"
                                + " Infinity");
    }

    @Test
    void doublesOfManyDigits() {
        String text = "0." + "0".repeat(300) + "1".repeat(5000) + "e300";
        assertThat(number(Delimited.of(',').doubleNumber("n"), text))
                .isEqualTo(Double.doubleToLongBits(Double.parseDouble(text)));
    }

    @ParameterizedTest
    @ValueSource(longs = {0, -1, 1_700_000_000_000L, Long.MIN_VALUE / 2, Long.MAX_VALUE / 2})
    void epochMillis(long millis) {
        assertThat(number(Delimited.of(',').epochMillis("t"), "" + millis)).isEqualTo(millis);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "4611686018427387904", "-4611686018427387905", "1.5", "1e3"})
    void notEpochMillis(String text) {
        assertThat(malformed(Delimited.of(',').epochMillis("t"), text))
                .startsWith("field 't': '" + text + "' is not milliseconds since 1970");
    }

    @ParameterizedTest
    @CsvSource({
        "2024-02-29T12:34:56, 2024-02-29T12:34:56Z",
        "2024-02-29 12:34:56Z, 2024-02-29T12:34:56Z",
        "1970-01-01T00:00:00.1, 1970-01-01T00:00:00.100Z",
        "1970-01-01T00:00:00.12, 1970-01-01T00:00:00.120Z",
        "1969-12-31T23:59:59.999999999, 1969-12-31T23:59:59.999Z",
        "1970-01-01T00:00:00.000999Z, 1970-01-01T00:00:00Z",
        "0000-01-01T00:00:00+23:59, -0001-12-31T00:01:00Z",
        "9999-12-31T23:59:59.999-23:59, +10000-01-01T23:58:59.999Z",
        "2000-02-29T00:00:00+0530, 2000-02-28T18:30:00Z",
        "2000-02-29T00:00:00.5-00:00, 2000-02-29T00:00:00.500Z",
        "2000-12-31T23:00:00-01:30, 2001-01-01T00:30:00Z"
    })
    void isoTimestamps(String text, String instant) {
        assertThat(number(Delimited.of(',').isoTimestamp("t"), text))
                .isEqualTo(Instant.parse(instant).toEpochMilli());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "2024-02-29",
                "2024-02-29T12:34",
                "2023-02-29T12:34:56",
                "1900-02-29T00:00:00",
                "2024-00-10T00:00:00",
                "2024-13-10T00:00:00",
                "2024-04-31T00:00:00",
                "2024-04-00T00:00:00",
                "2024-04-01T24:00:00",
                "2024-04-01T00:60:00",
                "2024-04-01T00:00:60",
                "2024-04-01t00:00:00",
                "2024-04-01T00:00:00z",
                "2024-04-01T00:00:00.",
                "2024-04-01T00:00:00.Z",
                "2024-04-01T00:00:00.1234567890",
                "2024-04-01T00:00:00,5",
                "2024-04-01T00:00:00+",
                "2024-04-01T00:00:00+01",
                "2024-04-01T00:00:00+1:00",
                "2024-04-01T00:00:00+24:00",
                "2024-04-01T00:00:00+01:60",
                "2024-04-01T00:00:00+01:0",
                "2024-04-01T00:00:00+01-00",
                "2024-04-01T00:00:00 01:00",
                "2024-04-01T00:00:00+01:000",
                "2024-04-01T00:00:00ZZ",
                "2024-04-01T00:00:00Z ",
                " 2024-04-01T00:00:00",
                "2024/04/01T00:00:00",
                "2024-04-01_00:00:00",
                "+2024-04-01T00:00:00",
                "-024-04-01T00:00:00",
                "2024-04-01T0a:00:00",
                "2024-04-01T00:00:00+0a00"
            })
    void notIsoTimestamps(String text) {
        assertThat(malformed(Delimited.of(';').isoTimestamp("t"), text))
                .isEqualTo(
                        "field 't': '"
                                + text
                                + "' is not a timestamp: yyyy-MM-ddTHH:mm:ss[.digits][Z or +-HH:mm]");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "80",
                "61 C3",
                "C3 28",
                "C0 80",
                "E0 80 80",
                "ED A0 80",
                "F0 80 80 80",
                "F4 90 80 80",
                "FF",
                "F5 80 80 80",
                "E2 82"
            })
    void stringsAreUtf8(String hex) {
        byte[] bytes = hex(hex);
        String reason = new LineParser(Delimited.of(',').string("s")).parse(bytes, 0, bytes.length);
        assertThat(reason).startsWith("field 's': '").endsWith("' is not valid UTF-8");
        assertThat(new LineParser(Delimited.of(',').skipped()).parse(bytes, 0, bytes.length))
                .isNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "a",
                "\0",
                "ÿ",
                "߿",
                "ࠀ",
                "￿",
                "퟿",
                "\uE000",
                "😀",
                "\uD800\uDC00",
                "\uDBFF\uDFFF"
            })
    void stringsMayBeAnyUtf8(String text) {
        assertThat(parsed(Delimited.of(',').string("s"), text).text(0)).isEqualTo(utf8(text));
    }

    @Test
    void fieldsMayBeMissingOrTooMany() {
        assertThat(malformed(STATIONS, "Bonn"))
                .isEqualTo("field 'temp': is missing: the line has 1 of 2 fields");
        assertThat(malformed(STATIONS, "Bonn;1;2"))
                .isEqualTo("field 'temp': is the last of 2, but the line goes on with ';2'");
        assertThat(malformed(STATIONS, "Bonn;1;"))
                .isEqualTo("field 'temp': is the last of 2, but the line goes on with ';'");
        assertThat(malformed(Delimited.of(';').string("a").skipped(), "x"))
                .isEqualTo("field 2 (skipped): is missing: the line has 1 of 2 fields");
    }

    @Test
    void theLeftmostOfSeveralErrorsIsTold() {
        Delimited format = Delimited.of(';').intNumber("a").intNumber("b").intNumber("c");
        assertThat(malformed(format, "1;x;y;z")).startsWith("field 'b': 'x'");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "\"a;b\";1|a;b",
                "\"\";1|``",
                "\"a\"\"b\";1|a\"b",
                "\"\"\"\";1|\"",
                "\"\"\"a\"\"\";\"1\"|\"a\"",
                "a\"b;1|a\"b",
                "a\"\";1|a\"\"",
                "'a';1|'a'",
                "\"a\";\"1\"|a",
                "\";;\";+1|;;"
            })
    void quotes(String line, String text) {
        LineParser parser = parsed(Delimited.of(';').quoted().string("s").intNumber("n"), line);
        assertThat(new String(parser.text(0), StandardCharsets.UTF_8)).isEqualTo(text);
        assertThat(parser.word(1)).isEqualTo(1);
    }

    @Test
    void numbersAndSkippedFieldsMayBeQuoted() {
        Delimited format =
                Delimited.of(',')
                        .quoted()
                        .skipped()
                        .intNumber("n")
                        .isoTimestamp("t")
                        .decimal("d", 1);
        LineParser parser = parsed(format, "\"a,\"\"b\",\"\",\"1970-01-01 00:00:01\",\"-1.5\"\r");
        assertThat(parser.isNull(1)).isTrue();
        assertThat(parser.word(2)).isEqualTo(1000);
        assertThat(parser.word(3)).isEqualTo(-15);
    }

    @Test
    void aQuoteHasToBeClosedBeforeASeparator() {
        Delimited format = Delimited.of(';').quoted().string("s").intNumber("n");
        assertThat(malformed(format, "\"a;1")).isEqualTo("field 's': '\"a;1' has no closing quote");
        assertThat(malformed(format, "\"")).isEqualTo("field 's': '\"' has no closing quote");
        assertThat(malformed(format, "\"a\"\";1"))
                .isEqualTo("field 's': '\"a\"\";1' has no closing quote");
        assertThat(malformed(format, "\"a\"b;1"))
                .isEqualTo("field 's': '\"a\"b;1' has text behind its closing quote");
        assertThat(malformed(format, "a;\"1\"2"))
                .isEqualTo("field 'n': '\"1\"2' has text behind its closing quote");
        assertThat(malformed(format, "a;\"1\";"))
                .isEqualTo("field 'n': is the last of 2, but the line goes on with ';'");
    }

    @Test
    void withoutQuotedAQuoteIsAByteAsOthers() {
        assertThat(parsed(Delimited.of(';').string("s"), "\"a\"").text(0)).isEqualTo(utf8("\"a\""));
        assertThat(malformed(Delimited.of(';').intNumber("n"), "\"1\"")).contains("is not an int");
    }

    @Test
    void reasonsAreShortAndOneLine() {
        String reason =
                malformed(
                        Delimited.of(';').intNumber("n"), "x\r\0\u2028\u202e" + "y".repeat(10_000));
        assertThat(reason)
                .startsWith("field 'n': 'x????" + "y".repeat(35) + "...' is not an int")
                .hasSizeLessThan(150);
    }

    @Test
    void aFormatHasAField() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new LineParser(Delimited.of(';')))
                .withMessageContaining("a format has at least one field");
    }

    private static long number(Delimited format, String text) {
        return parsed(format, text).word(0);
    }

    private static LineParser parsed(Delimited format, String line) {
        LineParser parser = new LineParser(format);
        byte[] bytes = utf8(line);
        assertThat(parser.parse(bytes, 0, bytes.length)).isNull();
        return parser;
    }

    private static String malformed(Delimited format, String line) {
        byte[] bytes = utf8(line);
        return new LineParser(format).parse(bytes, 0, bytes.length);
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] hex(String text) {
        String[] parts = text.split(" ");
        byte[] bytes = new byte[parts.length];
        for (int i = 0; i < parts.length; i++) {
            bytes[i] = (byte) Integer.parseInt(parts[i], 16);
        }
        return bytes;
    }
}
