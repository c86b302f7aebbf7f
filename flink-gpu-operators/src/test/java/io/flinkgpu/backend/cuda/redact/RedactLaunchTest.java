package io.flinkgpu.backend.cuda.redact;

import io.flinkgpu.backend.cuda.device.LaunchConfig;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Covers: RedactLaunch, RedactAbi.
 */
class RedactLaunchTest {

    @Test
    void rowsWithoutTextHaveOffsetsToWrite() {
        assertThat(RedactLaunch.find(0).blocks()).isZero();
        assertThat(RedactLaunch.write(0).blocks()).isEqualTo(1);
        assertThat(RedactLaunch.findLines(0).blocks()).isEqualTo(1);
    }

    @Test
    void theLastBlockMayBePartlyFull() {
        int tileBytes = RedactAbi.FIND_THREADS * RedactAbi.SEGMENT_BYTES;
        assertThat(RedactLaunch.find(1).blocks()).isEqualTo(1);
        assertThat(RedactLaunch.find(tileBytes).blocks()).isEqualTo(1);
        assertThat(RedactLaunch.find(tileBytes + 1))
                .isEqualTo(new LaunchConfig(2, RedactAbi.FIND_THREADS));
        assertThat(RedactLaunch.write(RedactAbi.WRITE_TILE_BYTES).blocks()).isEqualTo(1);
        assertThat(RedactLaunch.write(RedactAbi.WRITE_TILE_BYTES + 1).blocks()).isEqualTo(2);
        assertThat(RedactLaunch.findLines(16_384)).isEqualTo(new LaunchConfig(1, 256));
        assertThat(RedactLaunch.findLines(16_385)).isEqualTo(new LaunchConfig(2, 256));
    }

    @Test
    void theLargestBatchFitsAGrid() {
        assertThat(RedactLaunch.find(Integer.MAX_VALUE).blocks()).isEqualTo(262_144);
        assertThat(RedactLaunch.findLines(Integer.MAX_VALUE).blocks()).isEqualTo(131_072);
        assertThat(RedactLaunch.write(Integer.MAX_VALUE).blocks()).isEqualTo(299_594);
    }
}
