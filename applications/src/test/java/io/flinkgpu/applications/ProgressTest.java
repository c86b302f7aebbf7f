package io.flinkgpu.applications;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ProgressTest {

    @Test
    void showsBytesShareRateAndTimeLeft() {
        assertThat(Progress.line(1_500_000_000L, 6_000_000_000L, 30))
                .isEqualTo("1500.0 of 6000.0 MB  25%  0.05 GB/s  ETA 1:30");
    }

    @Test
    void replayedBytesDoNotLeadBeyondTheEnd() {
        assertThat(Progress.line(2_000_000, 1_000_000, 1))
                .isEqualTo("2.0 of 1.0 MB  100%  0.00 GB/s  ETA 0:00");
    }
}
