package io.flinkgpu.parse;

import io.flinkgpu.api.lines.Delimited;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Instant;

import static io.flinkgpu.parse.ParsedLine.malformed;
import static io.flinkgpu.parse.ParsedLine.number;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Timestamps of lines: epoch millis and ISO-8601.
 *
 * <p>Covers: IsoTimestampReader.
 */
class TimestampFieldsTest {

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
}
