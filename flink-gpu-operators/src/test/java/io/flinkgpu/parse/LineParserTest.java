package io.flinkgpu.parse;

import io.flinkgpu.api.ErrorDetail;
import io.flinkgpu.api.ErrorValues;
import io.flinkgpu.api.lines.Delimited;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.charset.StandardCharsets;

import static io.flinkgpu.parse.ParsedLine.malformed;
import static io.flinkgpu.parse.ParsedLine.parsed;
import static io.flinkgpu.parse.ParsedLine.utf8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Covers: LineParser.
 */
class LineParserTest {

    private static final ErrorValues FULL = ErrorValues.of(ErrorDetail.FULL);

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
        String reason =
                new LineParser(Delimited.of(',').string("s"), FULL).parse(bytes, 0, bytes.length);
        assertThat(reason).startsWith("field 's': '").endsWith("' is not valid UTF-8");
        assertThat(new LineParser(Delimited.of(',').skipped(), FULL).parse(bytes, 0, bytes.length))
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

    private static byte[] hex(String text) {
        String[] parts = text.split(" ");
        byte[] bytes = new byte[parts.length];
        for (int i = 0; i < parts.length; i++) {
            bytes[i] = (byte) Integer.parseInt(parts[i], 16);
        }
        return bytes;
    }
}
