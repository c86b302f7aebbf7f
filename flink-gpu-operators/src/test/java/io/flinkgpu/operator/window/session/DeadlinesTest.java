package io.flinkgpu.operator.window.session;

import org.junit.jupiter.api.Test;

import java.util.PriorityQueue;
import java.util.Random;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Against a queue of objects.
 *
 * <p>Covers: Deadlines.
 */
class DeadlinesTest {

    private static final long SEED = Long.getLong("seed", System.nanoTime());

    private record Entry(long time, int number) implements Comparable<Entry> {

        @Override
        public int compareTo(Entry other) {
            return time == other.time
                    ? Integer.compare(number, other.number)
                    : Long.compare(time, other.time);
        }
    }

    @Test
    void givesBackInTheOrderOfTime() {
        for (long width : new long[] {1, 7, 1000, Long.MAX_VALUE}) {
            Random random = new Random(SEED);
            Deadlines deadlines = new Deadlines(width);
            PriorityQueue<Entry> expected = new PriorityQueue<>();
            long now = random.nextInt(1000) - 500;
            for (int step = 0; step < 20_000; step++) {
                if (random.nextInt(5) > 0) {
                    // Some are due at once, also before those that were given back.
                    long time = now + random.nextInt(300) - 20;
                    int number = random.nextInt(Integer.MAX_VALUE);
                    deadlines.add(time, number);
                    expected.add(new Entry(time, number));
                } else {
                    now += random.nextInt(20);
                    poll(deadlines, expected, now);
                }
                if (!expected.isEmpty()) {
                    assertThat(deadlines.earliest())
                            .as("seed %d, width %d", SEED, width)
                            .isLessThanOrEqualTo(expected.peek().time);
                }
            }
            poll(deadlines, expected, Long.MAX_VALUE);
            assertThat(deadlines.earliest()).isEqualTo(Long.MAX_VALUE);
        }
    }

    private static void poll(Deadlines deadlines, PriorityQueue<Entry> expected, long upTo) {
        while (!expected.isEmpty() && expected.peek().time <= upTo) {
            Entry next = expected.poll();
            assertThat(deadlines.poll(upTo)).as("seed %d", SEED).isEqualTo(next.number);
            assertThat(deadlines.time()).isEqualTo(next.time);
        }
        assertThat(deadlines.poll(upTo)).as("seed %d", SEED).isNegative();
    }

    @Test
    void theEndsOfTimeAreTimes() {
        Deadlines deadlines = new Deadlines(1000);
        deadlines.add(Long.MAX_VALUE, 1);
        deadlines.add(Long.MIN_VALUE, 2);
        assertThat(deadlines.earliest()).isEqualTo(Long.MIN_VALUE);
        assertThat(deadlines.poll(Long.MIN_VALUE)).isEqualTo(2);
        assertThat(deadlines.poll(Long.MAX_VALUE - 1)).isNegative();
        assertThat(deadlines.poll(Long.MAX_VALUE)).isEqualTo(1);
        assertThat(deadlines.poll(Long.MAX_VALUE)).isNegative();
    }

    @Test
    void whatIsClearedIsGone() {
        Deadlines deadlines = new Deadlines(10);
        deadlines.add(5, 1);
        deadlines.clear();
        deadlines.add(6, 2);
        assertThat(deadlines.poll(10)).isEqualTo(2);
        assertThat(deadlines.poll(10)).isNegative();
    }
}
