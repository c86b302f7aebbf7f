package io.flinkgpu.cells;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Covers: HeapCell.
 */
class HeapCellTest {

    /** To copy all bytes for each that is added takes minutes. */
    @Test
    @Timeout(20)
    void growsInTimeLinearInItsLength() {
        HeapCell cell = new HeapCell();
        for (int i = 0; i < 2_000_000; i++) {
            cell.resize(i + 1);
            cell.putByte(i, (byte) i);
        }
        HeapCell copy = cell.copy();
        assertThat(copy).isEqualTo(cell);
        assertThat(copy.length()).isEqualTo(2_000_000);
        assertThat(copy.getByte(1_999_999)).isEqualTo((byte) 1_999_999);
    }
}
