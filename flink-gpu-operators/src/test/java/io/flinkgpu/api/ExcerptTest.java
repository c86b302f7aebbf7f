package io.flinkgpu.api;

import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Covers: Excerpt.
 */
class ExcerptTest {

    @Test
    void aShortTextIsWhole() {
        assertThat(excerpt("", 3)).isEmpty();
        assertThat(excerpt("abc", 3)).isEqualTo("abc");
        assertThat(excerpt("äö😀", 4)).isEqualTo("äö😀");
    }

    @Test
    void aLongOneIsCutBetweenCharacters() {
        assertThat(excerpt("abcd", 3)).isEqualTo("abc...");
        assertThat(excerpt("ab😀", 3)).isEqualTo("ab...");
        assertThat(excerpt("语".repeat(1000), 3)).isEqualTo("语语语...");
        assertThat(excerpt("x".repeat(1_000_000), 3)).isEqualTo("xxx...");
    }

    @Test
    void whatIsNotPrintedAsOneCharacterIsReplaced() {
        assertThat(excerpt("a\n\t\u001b[31m\u2028\u202e", 20)).isEqualTo("a???[31m??");
        byte[] bytes = {'a', (byte) 0xff, 'b'};
        assertThat(Excerpt.of(bytes, 0, 3, 20)).isEqualTo("a\uFFFDb");
    }

    @Test
    void aPartOfAnArray() {
        byte[] bytes = "0123456789".getBytes(StandardCharsets.UTF_8);
        assertThat(Excerpt.of(bytes, 2, 5, 20)).isEqualTo("234");
    }

    private static String excerpt(String text, int maxChars) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        return Excerpt.of(bytes, 0, bytes.length, maxChars);
    }
}
