package io.flinkgpu.sql.operator;

import org.junit.jupiter.api.Test;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.Random;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Texts are accepted where Java's decoder accepts them.
 *
 * <p>Covers: TextCheck.
 */
class TextCheckTest {

    private static final int[] EDGES = {
        0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xEC, 0xED,
        0xEE, 0xEF, 0xF0, 0xF1, 0xF3, 0xF4, 0xF5, 0xFF
    };

    @Test
    void acceptsWhatJavaDecodes() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        for (int i = 0; i < 200_000; i++) {
            byte[] bytes = new byte[random.nextInt(20)];
            for (int at = 0; at < bytes.length; at++) {
                bytes[at] =
                        random.nextInt(3) == 0
                                ? (byte) 'a'
                                : (byte) EDGES[random.nextInt(EDGES.length)];
            }
            int start = bytes.length == 0 ? 0 : random.nextInt(bytes.length);
            int count = bytes.length - start == 0 ? 0 : random.nextInt(bytes.length - start + 1);
            assertThat(TextCheck.UTF8.accepts(bytes, start, count))
                    .as("seed=%dL, i=%d", seed, i)
                    .isEqualTo(isDecoded(bytes, start, count));
        }
    }

    @Test
    void acceptsAllCharacters() {
        for (int codePoint = 0; codePoint <= Character.MAX_CODE_POINT; codePoint++) {
            byte[] bytes = Character.toString(codePoint).getBytes(UTF_8);
            assertThat(TextCheck.UTF8.accepts(bytes, 0, bytes.length)).isTrue();
            assertThat(TextCheck.ASCII.accepts(bytes, 0, bytes.length)).isEqualTo(bytes[0] >= 0);
        }
    }

    private static boolean isDecoded(byte[] bytes, int start, int count) {
        try {
            UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes, start, count));
            return true;
        } catch (CharacterCodingException e) {
            return false;
        }
    }
}
