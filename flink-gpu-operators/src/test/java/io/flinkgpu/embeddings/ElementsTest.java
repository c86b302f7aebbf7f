package io.flinkgpu.embeddings;

import io.flinkgpu.api.lookup.ElementType;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.function.Function;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Rounding to 16 bits, which widening undoes.
 *
 * <p>Covers: Elements.
 */
class ElementsTest {

    private static final int NUMBERS = 1 << 16;

    private static void checkEach(
            Function<Short, Float> widen, Function<Float, Short> narrow, int infinity) {
        for (int bits = 0; bits < NUMBERS; bits++) {
            float value = widen.apply((short) bits);
            short back = narrow.apply(value);
            if (Float.isNaN(value)) {
                assertThat(widen.apply(back)).isNaN();
                continue;
            }
            assertThat(back).isEqualTo((short) bits);
            int magnitude = bits & 0x7fff;
            if (magnitude < infinity - 1) {
                float next = widen.apply((short) (bits + 1));
                float middle = (float) ((value + (double) next) / 2);
                short even = (short) (bits + (bits & 1));
                assertThat(narrow.apply(middle)).as("after %x", bits).isEqualTo(even);
                float below = Math.nextAfter(middle, value);
                assertThat(narrow.apply(below)).as("after %x", bits).isEqualTo((short) bits);
                float above = Math.nextAfter(middle, next);
                assertThat(narrow.apply(above)).as("after %x", bits).isEqualTo((short) (bits + 1));
            }
        }
    }

    @Test
    void numbersBetweenTwoOf16BitsGoToTheNearest() {
        checkEach(Elements::ofF16, Elements::toF16, 0x7c00);
        checkEach(Elements::ofBf16, Elements::toBf16, 0x7f80);
    }

    @ParameterizedTest
    @CsvSource({
        "65519.996, 7bff",
        "65520, 7c00",
        "-1e9, fc00",
        "Infinity, 7c00",
        "2.9802322E-8, 0",
        "2.9802326E-8, 1",
        "-0.0, 8000",
    })
    void whatIsTooLargeOrTooSmallForF16(float value, String bits) {
        assertThat(Integer.toHexString(Elements.toF16(value) & 0xffff)).isEqualTo(bits);
    }

    @Test
    void elementsAreLittleEndian() {
        assertThat(Elements.narrow(ElementType.F32, new float[] {1, -2}))
                .containsExactly(0, 0, 0x80, 0x3f, 0, 0, 0, 0xc0);
        assertThat(Elements.narrow(ElementType.BF16, new float[] {1})).containsExactly(0x80, 0x3f);
        assertThat(Elements.narrow(ElementType.F16, new float[] {1})).containsExactly(0, 0x3c);
    }
}
