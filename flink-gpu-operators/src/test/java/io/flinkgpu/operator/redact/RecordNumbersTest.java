package io.flinkgpu.operator.redact;

import org.junit.jupiter.api.Test;

import java.util.ArrayDeque;
import java.util.Random;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Covers: RecordNumbers.
 */
class RecordNumbersTest {

    private static final long SEED = Long.getLong("seed", 20_261_124);

    @Test
    void recordsAreEmittedUnderTheNumbersTheyWereReceivedWith() {
        Random random = new Random(SEED);
        RecordNumbers numbers = new RecordNumbers();
        ArrayDeque<Long> underWay = new ArrayDeque<>();
        for (long number = 1; number <= 10_000; number++) {
            if (random.nextInt(3) == 0) {
                assertThat(numbers.refused()).as("seed=%d", SEED).isEqualTo(number);
            } else {
                numbers.accepted();
                underWay.add(number);
            }
            while (!underWay.isEmpty() && random.nextInt(8) < underWay.size()) {
                assertThat(numbers.next()).as("seed=%d", SEED).isEqualTo(underWay.remove());
            }
        }
    }

    /** A job all of whose records are refused runs for long. */
    @Test
    void refusedOnesAreKeptOnlyAfterOneThatIsUnderWay() {
        RecordNumbers numbers = new RecordNumbers();
        for (int i = 0; i < 100; i++) {
            numbers.refused();
        }
        assertThat(numbers.kept()).isZero();

        numbers.accepted();
        for (int i = 0; i < 100; i++) {
            numbers.refused();
        }
        assertThat(numbers.kept()).isEqualTo(100);
        assertThat(numbers.next()).isEqualTo(101);
        assertThat(numbers.kept()).isZero();
        assertThat(numbers.refused()).isEqualTo(202);
        assertThat(numbers.kept()).isZero();
    }
}
