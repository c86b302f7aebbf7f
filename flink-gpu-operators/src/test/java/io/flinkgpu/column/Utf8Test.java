package io.flinkgpu.column;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.charset.StandardCharsets;
import java.util.Random;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Covers: Utf8.
 */
class Utf8Test {

    private static final String[] PIECES = {
        "a", "?", "\u00e9", "\u20ac", "\ufffd", "\ud83d\ude00", "\ud800", "\udfff", "\uffff", "\0"
    };

    @ParameterizedTest
    @ValueSource(
            strings = {"", "plain?", "\u00e9", "\u20ac", "\ud83d\ude00", "\ufffd", "a\u07ff\u0800"})
    void wellFormedTextIsUtf8(String text) {
        assertThat(Utf8.encode(text)).isEqualTo(text.getBytes(StandardCharsets.UTF_8));
        assertThat(StringBytes.decode(Utf8.encode(text))).contains(text);
    }

    @Test
    void anUnpairedSurrogateTakesThreeBytes() {
        assertThat(Utf8.encode("a\ud800"))
                .containsExactly('a', (byte) 0xed, (byte) 0xa0, (byte) 0x80);
        assertThat(Utf8.encode("\udfff")).containsExactly((byte) 0xed, (byte) 0xbf, (byte) 0xbf);
    }

    @Test
    void everyStringComesBack() {
        long seed = 1;
        Random random = new Random(seed);
        for (int i = 0; i < 20_000; i++) {
            StringBuilder text = new StringBuilder();
            for (int pieces = random.nextInt(8); pieces > 0; pieces--) {
                text.append(PIECES[random.nextInt(PIECES.length)]);
            }
            assertThat(StringBytes.decode(Utf8.encode(text.toString())))
                    .as("seed=%d, i=%d", seed, i)
                    .contains(text.toString());
        }
    }
}
