package io.flinkgpu.operator.window.local;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Covers: ReductionMonitor.
 */
class ReductionMonitorTest {

    private final ReductionMonitor reduction = new ReductionMonitor(100);

    @Test
    void samplesThatShrinkAreAlwaysGrouped() {
        for (int i = 0; i < 100; i++) {
            reduction.grouped(100, 50);
            assertThat(ungrouped()).isZero();
        }
    }

    @Test
    void aPoorSampleSendsManyRowsUngrouped() {
        for (int i = 0; i < 99; i++) {
            reduction.grouped(1, i % 2);
            assertThat(reduction.takeUngrouped()).isFalse();
        }
        reduction.grouped(1, 2);
        assertThat(ungrouped()).isEqualTo(100 * ReductionMonitor.UNGROUPED_ROWS);
    }

    @Test
    void thenAnotherSampleDecides() {
        reduction.grouped(300, 300);
        assertThat(ungrouped()).isEqualTo(300 * ReductionMonitor.UNGROUPED_ROWS);
        reduction.grouped(100, 1);
        assertThat(ungrouped()).isZero();
        reduction.grouped(100, 100);
        assertThat(ungrouped()).isEqualTo(100 * ReductionMonitor.UNGROUPED_ROWS);
    }

    @Test
    void batchesThatWereOnTheirWayChangeNothing() {
        for (int i = 0; i < 5; i++) {
            reduction.grouped(100, 100);
        }
        assertThat(ungrouped()).isEqualTo(100 * ReductionMonitor.UNGROUPED_ROWS);
    }

    private int ungrouped() {
        int rows = 0;
        while (reduction.takeUngrouped()) {
            rows++;
        }
        return rows;
    }
}
