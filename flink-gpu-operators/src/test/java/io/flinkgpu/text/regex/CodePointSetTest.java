package io.flinkgpu.text.regex;

import io.flinkgpu.text.automaton.Utf8Ranges;

import org.junit.jupiter.api.Test;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Random;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Covers: CodePointSet.
 */
class CodePointSetTest {

    @Test
    void rangesThatOverlapOrTouchAreOne() {
        CodePointSet set =
                new CodePointSet.Builder().add('m', 'p').add('a', 'c').add('d', 'n').build();
        assertThat(set).isEqualTo(CodePointSet.range('a', 'p'));
        assertThat(new CodePointSet.Builder().add('b', 'a').build()).isEqualTo(CodePointSet.EMPTY);
    }

    @Test
    void negationTwiceIsTheSet() {
        assertThat(CodePointSet.ALL.negate()).isEqualTo(CodePointSet.EMPTY);
        assertThat(CodePointSet.EMPTY.negate()).isEqualTo(CodePointSet.ALL);
        assertThat(CodePointSet.DOT.negate().negate()).isEqualTo(CodePointSet.DOT);
        assertThat(CodePointSet.DOT.contains(0x2028)).isFalse();
        assertThat(CodePointSet.DOT.contains(0x2027)).isTrue();
    }

    @Test
    void foldingIsForAsciiLettersOnly() {
        CodePointSet set = new CodePointSet.Builder().add('k', 'k').add(0xe9, 0xe9).build();
        CodePointSet folded = set.foldAscii();
        assertThat(folded.contains('K')).isTrue();
        assertThat(folded.contains(0x212a)).isFalse();
        assertThat(folded.contains(0xc9)).isFalse();
    }

    @Test
    void sequencesHoldExactlyTheEncodingsOfTheSet() {
        long seed = 4;
        Random random = new Random(seed);
        for (int i = 0; i < 40; i++) {
            CodePointSet.Builder builder = new CodePointSet.Builder();
            for (int j = 0; j < 4; j++) {
                int low = random.nextInt(1 << 7 + random.nextInt(14)) % 0x110000;
                builder.add(low, Math.min(0x10ffff, low + random.nextInt(1 << random.nextInt(18))));
            }
            CodePointSet set = builder.build();
            int[][] sequences = Utf8Ranges.of(set);
            for (int j = 0; j < 4000; j++) {
                int codePoint = random.nextInt(1 << 7 + random.nextInt(14)) % 0x110000;
                if (codePoint < 0xd800 || codePoint > 0xdfff) {
                    byte[] bytes = Character.toString(codePoint).getBytes(StandardCharsets.UTF_8);
                    assertThat(matching(sequences, bytes))
                            .as("seed=%d set=%s codePoint=%x", seed, set, codePoint)
                            .isEqualTo(set.contains(codePoint) ? 1 : 0);
                }
            }
        }
    }

    @Test
    void noSequenceHoldsBytesThatAreNotUtf8() {
        int[][] all = Utf8Ranges.of(CodePointSet.ALL);
        for (int b = 0; b < 1 << 24; b += 7) {
            byte[] three = {(byte) (b >> 16), (byte) (b >> 8), (byte) b};
            byte[] four = {(byte) (0xf0 | b >> 21), (byte) (b >> 14), (byte) (b >> 7), (byte) b};
            for (byte[] bytes : new byte[][] {three, four}) {
                if (matching(all, bytes) != 0) {
                    assertThat(isOneCodePoint(bytes)).as("bytes of %x", b).isTrue();
                }
            }
        }
    }

    private static int matching(int[][] sequences, byte[] bytes) {
        int count = 0;
        for (int[] sequence : sequences) {
            boolean matches = sequence.length == 2 * bytes.length;
            for (int i = 0; matches && i < bytes.length; i++) {
                int b = bytes[i] & 0xff;
                matches = b >= sequence[2 * i] && b <= sequence[2 * i + 1];
            }
            count += matches ? 1 : 0;
        }
        return count;
    }

    private static boolean isOneCodePoint(byte[] bytes) {
        try {
            String text =
                    StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
            return text.codePointCount(0, text.length()) == 1;
        } catch (CharacterCodingException e) {
            return false;
        }
    }
}
