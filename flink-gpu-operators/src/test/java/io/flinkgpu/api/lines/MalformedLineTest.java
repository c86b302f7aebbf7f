package io.flinkgpu.api.lines;

import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Covers: MalformedLine.
 */
class MalformedLineTest {

    private static final MalformedLine LINE = line("a;b", "r");

    private static MalformedLine line(String text, String reason) {
        return new MalformedLine("f", 3, text.getBytes(StandardCharsets.UTF_8), reason);
    }

    @Test
    void isEqualByItsBytes() {
        assertThat(line("a;b", "r")).isEqualTo(LINE).hasSameHashCodeAs(LINE);
        assertThat(LINE)
                .isNotEqualTo(line("a;c", "r"))
                .isNotEqualTo(line("a;b", "q"))
                .isNotEqualTo(new MalformedLine("g", 3, LINE.line(), "r"))
                .isNotEqualTo(new MalformedLine("f", 4, LINE.line(), "r"));
        assertThat(LINE).hasToString("MalformedLine[f@3, 3 bytes, r]");
    }
}
