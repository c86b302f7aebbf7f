package io.flinkgpu.parse;

import io.flinkgpu.api.ErrorDetail;
import io.flinkgpu.api.ErrorValues;
import io.flinkgpu.api.lines.Delimited;

import java.nio.charset.StandardCharsets;

import static org.assertj.core.api.Assertions.assertThat;

/** One line through a parser of its own. */
final class ParsedLine {

    private ParsedLine() {}

    /** The number of the first field. */
    static long number(Delimited format, String text) {
        return parsed(format, text).word(0);
    }

    /** A parser that has taken the line. */
    static LineParser parsed(Delimited format, String line) {
        LineParser parser = new LineParser(format, ErrorValues.of(ErrorDetail.FULL));
        byte[] bytes = utf8(line);
        assertThat(parser.parse(bytes, 0, bytes.length)).isNull();
        return parser;
    }

    /** What is wrong with the line; null if nothing is. */
    static String malformed(Delimited format, String line) {
        byte[] bytes = utf8(line);
        return new LineParser(format, ErrorValues.of(ErrorDetail.FULL))
                .parse(bytes, 0, bytes.length);
    }

    static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
