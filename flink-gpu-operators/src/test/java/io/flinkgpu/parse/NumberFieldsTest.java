package io.flinkgpu.parse;

import io.flinkgpu.api.lines.Delimited;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static io.flinkgpu.parse.ParsedLine.malformed;
import static io.flinkgpu.parse.ParsedLine.number;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Numbers of lines: what is one, and which.
 *
 * <p>Covers: LineParser.
 */
class NumberFieldsTest {

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
}
