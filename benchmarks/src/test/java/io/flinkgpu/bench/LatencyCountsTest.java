package io.flinkgpu.bench;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

class LatencyCountsTest {

    @Test
    void percentilesAreRightToA64th() {
        LatencyCounts counts = new LatencyCounts();
        for (int micros = 1; micros <= 100_000; micros++) {
            counts.count(micros);
        }
        for (int percent : new int[] {1, 50, 99, 100}) {
            double expected = 1_000.0 * percent;
            assertThat(LatencyCounts.percentile(counts.getLocalValue(), percent / 100.0))
                    .as("p%d", percent)
                    .isCloseTo((long) expected, within((long) (expected / 64) + 1));
        }
    }

    @Test
    void extremesHaveTheirPlace() {
        LatencyCounts counts = new LatencyCounts();
        counts.count(-5);
        assertThat(LatencyCounts.percentile(counts.getLocalValue(), 1)).isZero();
        counts.count(Long.MAX_VALUE);
        assertThat(LatencyCounts.percentile(counts.getLocalValue(), 1))
                .isGreaterThan(Long.MAX_VALUE / 2);
    }

    @Test
    void countsOfSubtasksAreAdded() {
        LatencyCounts a = new LatencyCounts();
        LatencyCounts b = new LatencyCounts();
        a.count(10);
        b.count(100);
        LatencyCounts both = a.clone();
        both.merge(b);
        assertThat(LatencyCounts.percentile(both.getLocalValue(), 0.5)).isEqualTo(10);
        assertThat(LatencyCounts.percentile(both.getLocalValue(), 1)).isEqualTo(100);
        assertThat(LatencyCounts.percentile(a.getLocalValue(), 1)).isEqualTo(10);
    }
}
