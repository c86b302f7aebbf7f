package io.flinkgpu.sets;

import org.junit.jupiter.api.Test;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Covers: ElementNumbers.
 */
class ElementNumbersTest {

    @Test
    void numbersAreGivenInOrderUntilThereAreNone() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        ElementNumbers numbers = new ElementNumbers(3_000);
        Map<Integer, Integer> expected = new LinkedHashMap<>();
        for (int i = 0; i < 20_000; i++) {
            int element = element(random);
            assertThat(numbers.find(element))
                    .as("seed=%s, step=%s", seed, i)
                    .isEqualTo(expected.getOrDefault(element, -1));
            if (random.nextBoolean()) {
                int next = expected.size();
                if (next < 3_000) {
                    expected.putIfAbsent(element, next);
                }
                assertThat(numbers.add(element))
                        .as("seed=%s, step=%s", seed, i)
                        .isEqualTo(expected.getOrDefault(element, -1));
            }
        }
        assertThat(numbers.count()).as("seed=%s", seed).isEqualTo(3_000);
    }

    @Test
    void anyElementMayHaveANumber() {
        ElementNumbers numbers = new ElementNumbers();
        assertThat(numbers.find(0)).isEqualTo(-1);
        assertThat(numbers.add(-1)).isZero();
        assertThat(numbers.find(0)).isEqualTo(-1);
        assertThat(numbers.add(0)).isEqualTo(1);
        assertThat(numbers.add(Integer.MIN_VALUE)).isEqualTo(2);
        assertThat(numbers.find(-1)).isZero();
        assertThat(numbers.find(0)).isEqualTo(1);
        assertThat(numbers.find(Integer.MIN_VALUE)).isEqualTo(2);
    }

    @Test
    void elementsOnBothSidesOfTheLargestSmallOneHaveTheirNumbers() {
        ElementNumbers numbers = new ElementNumbers();
        int[] elements = {(1 << 17) + 1, (1 << 17) - 1, 1 << 17, (1 << 17) - 2, 1_023, 1_024};
        for (int i = 0; i < elements.length; i++) {
            assertThat(numbers.find(elements[i])).isEqualTo(-1);
            assertThat(numbers.add(elements[i])).isEqualTo(i);
        }
        for (int i = 0; i < elements.length; i++) {
            assertThat(numbers.find(elements[i])).isEqualTo(i);
        }
        assertThat(numbers.count()).isEqualTo(elements.length);
    }

    /** Small ones, some of them next to where they are no longer, multiples of a power of two, and any. */
    private static int element(Random random) {
        return switch (random.nextInt(4)) {
            case 0 -> random.nextInt(4_000);
            case 3 -> (1 << 17) - 1_000 + random.nextInt(2_000);
            case 1 -> random.nextInt(4_000) << 20;
            default -> random.nextInt();
        };
    }
}
