package io.flinkgpu.backend.cuda;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class LaunchConfigTest {

    @Test
    void rowsWithoutTextHaveOffsetsToWrite() {
        assertThat(LaunchConfig.find(0).blocks()).isZero();
        assertThat(LaunchConfig.write(0).blocks()).isEqualTo(1);
        assertThat(LaunchConfig.findLines(0).blocks()).isEqualTo(1);
    }

    @Test
    void theLastBlockMayBePartlyFull() {
        int tileBytes = KernelAbi.FIND_THREADS * KernelAbi.SEGMENT_BYTES;
        assertThat(LaunchConfig.find(1).blocks()).isEqualTo(1);
        assertThat(LaunchConfig.find(tileBytes).blocks()).isEqualTo(1);
        assertThat(LaunchConfig.find(tileBytes + 1))
                .isEqualTo(new LaunchConfig(2, KernelAbi.FIND_THREADS));
        assertThat(LaunchConfig.write(KernelAbi.WRITE_TILE_BYTES).blocks()).isEqualTo(1);
        assertThat(LaunchConfig.write(KernelAbi.WRITE_TILE_BYTES + 1).blocks()).isEqualTo(2);
        assertThat(LaunchConfig.findLines(16_384)).isEqualTo(new LaunchConfig(1, 256));
        assertThat(LaunchConfig.findLines(16_385)).isEqualTo(new LaunchConfig(2, 256));
        assertThat(LaunchConfig.groupRows(257)).isEqualTo(new LaunchConfig(2, 256));
        assertThat(LaunchConfig.groupBins(4096)).isEqualTo(new LaunchConfig(1, 256));
        assertThat(LaunchConfig.groupRank(16_385)).isEqualTo(new LaunchConfig(2, 1024));
        assertThat(LaunchConfig.groupAdd(4097)).isEqualTo(new LaunchConfig(2, 512));
    }

    @Test
    void theLargestBatchFitsAGrid() {
        assertThat(LaunchConfig.find(Integer.MAX_VALUE).blocks()).isEqualTo(262_144);
        assertThat(LaunchConfig.findLines(Integer.MAX_VALUE).blocks()).isEqualTo(131_072);
        assertThat(LaunchConfig.write(Integer.MAX_VALUE).blocks()).isEqualTo(299_594);
        assertThat(LaunchConfig.groupRows(Integer.MAX_VALUE).blocks()).isEqualTo(8_388_608);
    }
}
