package io.flinkgpu.backend.cuda.lookup;

import io.flinkgpu.backend.BackendException;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * A table with so many vectors that the numbers of their slots just fit.
 *
 * <p>Covers: DeviceTable, VectorCache.
 */
class MostVectorsTest {

    @Test
    void oneMoreIsRefused() throws Exception {
        DeviceTable.requireFewVectors("t", 1L << 30);
        assertThatThrownBy(() -> DeviceTable.requireFewVectors("t", (1L << 30) + 1))
                .isInstanceOf(BackendException.class)
                .hasMessage(
                        "a table on a GPU has at most 1073741824 vectors: table=t, vectors=1073741825;"
                                + " make several tables of them, or choose the CPU");
    }

    @Test
    void roomForMoreDoesNotOverflow() {
        assertThat(VectorCache.twice(3)).isEqualTo(6);
        assertThat(VectorCache.twice(1 << 29)).isEqualTo(1 << 30);
        assertThat(VectorCache.twice((1 << 29) + 1)).isEqualTo(1 << 30);
        assertThat(VectorCache.twice(1 << 30)).isEqualTo(1 << 30);
    }
}
