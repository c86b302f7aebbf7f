package io.flinkgpu.operator.window;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ReductionMonitorTest {

    private final ReductionMonitor reduction = new ReductionMonitor();

    @Test
    void batchesThatShrinkAreNeverSentRaw() {
        for (int i = 0; i < 100; i++) {
            reduction.completed(100, 80);
            assertThat(reduction.takeRaw()).isFalse();
        }
    }

    @Test
    void aFewPoorBatchesInARowSendManyRowsRaw() {
        reduction.completed(100, 81);
        reduction.completed(100, 100);
        reduction.completed(100, 10);
        assertThat(rawRows()).isZero();
        for (int i = 0; i < ReductionMonitor.POOR_BATCHES; i++) {
            assertThat(reduction.takeRaw()).isFalse();
            reduction.completed(100, 81);
        }
        assertThat(rawRows())
                .isEqualTo(100 * ReductionMonitor.POOR_BATCHES * ReductionMonitor.RAW_ROWS);
    }

    @Test
    void thenOneBatchDecides() {
        for (int i = 0; i < ReductionMonitor.POOR_BATCHES; i++) {
            reduction.completed(10, 10);
        }
        rawRows();
        reduction.completed(7, 7);
        assertThat(rawRows()).isEqualTo(7 * ReductionMonitor.RAW_ROWS);
        reduction.completed(10, 1);
        reduction.completed(10, 10);
        assertThat(rawRows()).isZero();
    }

    @Test
    void batchesInFlightMeanwhileCountNothing() {
        for (int i = 0; i < ReductionMonitor.POOR_BATCHES + 5; i++) {
            reduction.completed(10, 10);
        }
        assertThat(rawRows())
                .isEqualTo(10 * ReductionMonitor.POOR_BATCHES * ReductionMonitor.RAW_ROWS);
    }

    private int rawRows() {
        int rows = 0;
        while (reduction.takeRaw()) {
            rows++;
        }
        return rows;
    }
}
