package io.flinkgpu.windows;

import org.junit.jupiter.api.Test;

import java.math.BigDecimal;
import java.util.Random;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The judge's arithmetic against Java's own reading of decimals, which rounds once too.
 *
 * <p>Covers: Exactly.
 */
class ExactlyTest {

    @Test
    void sumsAreThoseOfBigDecimal() {
        Random random = new Random(7);
        for (int run = 0; run < 200; run++) {
            double[] values = random.doubles(1 + random.nextInt(5), -1, 1).toArray();
            BigDecimal sum = BigDecimal.ZERO;
            for (int i = 0; i < values.length; i++) {
                values[i] = random.nextBoolean() ? Readings.anyFinite(random) : values[i];
                sum = sum.add(new BigDecimal(values[i]));
            }
            assertThat(Exactly.sum(values)).isEqualByComparingTo(sum);
            assertThat(Exactly.quotient(sum, 1)).isEqualTo(sum.doubleValue());
        }
    }

    @Test
    void halvesGoToTheEvenNeighbour() {
        BigDecimal half = new BigDecimal(0x1p-53);
        assertThat(Exactly.quotient(BigDecimal.ONE.add(half), 1)).isEqualTo(1.0);
        assertThat(Exactly.quotient(new BigDecimal(1 + 0x1p-52).add(half), 1))
                .isEqualTo(1 + 0x1p-51);
        assertThat(Exactly.quotient(new BigDecimal(Double.MIN_VALUE), 2)).isEqualTo(0.0);
        assertThat(Exactly.quotient(new BigDecimal(3 * Double.MIN_VALUE), 2))
                .isEqualTo(2 * Double.MIN_VALUE);
        assertThat(Exactly.quotient(BigDecimal.ONE, 3)).isEqualTo(1.0 / 3);
        BigDecimal max = new BigDecimal(Double.MAX_VALUE);
        assertThat(Exactly.quotient(max.add(BigDecimal.ONE), 1)).isEqualTo(Double.MAX_VALUE);
        assertThat(Exactly.quotient(max.negate().add(max.negate()), 1))
                .isEqualTo(Double.NEGATIVE_INFINITY);
        assertThat(Exactly.quotient(max.add(max), 2)).isEqualTo(Double.MAX_VALUE);
    }
}
