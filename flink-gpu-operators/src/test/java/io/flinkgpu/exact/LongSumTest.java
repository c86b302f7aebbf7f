package io.flinkgpu.exact;

import org.junit.jupiter.api.Test;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Random;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Covers: LongSum.
 */
class LongSumTest {

    private static final long SEED = Long.getLong("exact.seed", 20_260_101);

    @Test
    void sumsAreThoseOfBigIntegers() {
        for (int run = 0; run < 3_000; run++) {
            long seed = SEED + run;
            Random random = new Random(seed);
            LongSum sum = new LongSum();
            BigInteger exact = BigInteger.ZERO;
            for (int left = random.nextInt(10); left >= 0; left--) {
                long value = random.nextLong() >> random.nextInt(64);
                sum.add(value);
                exact = exact.add(BigInteger.valueOf(value));
            }
            LongSum wide = new LongSum(random.nextLong() >> random.nextInt(64), random.nextLong());
            if (random.nextBoolean()) {
                sum.add(wide);
                BigInteger more = wide.toBigInteger();
                exact = exact.add(more).mod(BigInteger.ONE.shiftLeft(128));
                exact = exact.testBit(127) ? exact.subtract(BigInteger.ONE.shiftLeft(128)) : exact;
            }
            long count = random.nextLong() >>> 1 >>> random.nextInt(62) | 1;
            assertThat(sum.toBigInteger()).as("seed=%d", seed).isEqualTo(exact);
            assertThat(sum.fitsLong()).as("seed=%d", seed).isEqualTo(exact.bitLength() < 64);
            assertThat(sum.dividedBy(count))
                    .as("seed=%d", seed)
                    .isEqualTo(Oracle.quotient(new BigDecimal(exact), count));
        }
    }

    @Test
    void meansAreRoundedOnce() {
        LongSum sum = new LongSum();
        sum.add((1L << 53) + 1);
        assertThat(sum.dividedBy(1)).isEqualTo(0x1p53);
        sum.add(Long.MAX_VALUE);
        sum.add(Long.MAX_VALUE);
        assertThat(sum.fitsLong()).isFalse();
        assertThat(sum.dividedBy(3))
                .isEqualTo(Oracle.quotient(new BigDecimal(sum.toBigInteger()), 3));
        assertThat(new LongSum().dividedBy(5)).isEqualTo(0.0);
    }

    @Test
    void aCountIsPositive() {
        assertThatThrownBy(() -> new LongSum().dividedBy(-1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a count is positive: count=-1");
    }
}
