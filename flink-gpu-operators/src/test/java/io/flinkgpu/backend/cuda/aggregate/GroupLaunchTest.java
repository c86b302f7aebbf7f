package io.flinkgpu.backend.cuda.aggregate;

import io.flinkgpu.backend.cuda.device.LaunchConfig;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Covers: GroupLaunch.
 */
class GroupLaunchTest {

    @Test
    void theLastBlockMayBePartlyFull() {
        assertThat(GroupLaunch.rows(257)).isEqualTo(new LaunchConfig(2, 256));
        assertThat(GroupLaunch.bins(4096)).isEqualTo(new LaunchConfig(1, 256));
        assertThat(GroupLaunch.rank(16_385)).isEqualTo(new LaunchConfig(2, 1024));
        assertThat(GroupLaunch.add(4097)).isEqualTo(new LaunchConfig(2, 512));
    }

    @Test
    void theLargestBatchFitsAGrid() {
        assertThat(GroupLaunch.rows(Integer.MAX_VALUE).blocks()).isEqualTo(8_388_608);
    }
}
