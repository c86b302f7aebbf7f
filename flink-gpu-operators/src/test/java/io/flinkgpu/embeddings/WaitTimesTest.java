package io.flinkgpu.embeddings;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Quantiles of the last waits.
 *
 * <p>Covers: WaitTimes.
 */
class WaitTimesTest {

    @Test
    void withoutWaitsThereIsNone() {
        assertThat(new WaitTimes().quantile(0.99)).isZero();
    }

    @Test
    void quantilesAreTimesThatWereTaken() {
        WaitTimes times = new WaitTimes();
        for (int i = 100; i > 0; i--) {
            times.add(i);
        }
        assertThat(times.quantile(0.5)).isEqualTo(50);
        assertThat(times.quantile(0.99)).isEqualTo(99);
        assertThat(times.quantile(1)).isEqualTo(100);
        assertThat(times.quantile(0.001)).isEqualTo(1);
    }

    @Test
    void olderWaitsAreForgotten() {
        WaitTimes times = new WaitTimes();
        times.add(1_000_000);
        for (int i = 0; i < 512; i++) {
            times.add(7);
        }
        assertThat(times.quantile(1)).isEqualTo(7);
        times.add(8);
        assertThat(times.quantile(1)).isEqualTo(8);
    }
}
