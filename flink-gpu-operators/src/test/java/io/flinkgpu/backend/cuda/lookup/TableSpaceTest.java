package io.flinkgpu.backend.cuda.lookup;

import org.junit.jupiter.api.Test;

import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Covers: TableSpace.
 */
class TableSpaceTest {

    @Test
    void smallFilesAreWholeAndLargeOnesShareTheRest() {
        assertThat(TableSpace.share(List.of(10L, 20L, 30L), 60)).isEqualTo(Long.MAX_VALUE);
        assertThat(TableSpace.share(List.of(1_000L, 3L, 500L, 0L), 103)).isEqualTo(50);
        assertThat(TableSpace.share(List.of(5L, 5L), 9)).isEqualTo(4);
        assertThat(TableSpace.share(List.of(7L), 0)).isZero();
        assertThat(TableSpace.share(List.of(), 5)).isEqualTo(Long.MAX_VALUE);
    }
}
