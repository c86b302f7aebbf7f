package io.flinkgpu.operator.window;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class LocalGainTest {

    private final LocalGain gain = new LocalGain();

    @Test
    void batchesThatShrinkAreNeverSentRaw() {
        for (int i = 0; i < 100; i++) {
            gain.completed(100, 80);
            assertThat(gain.takeRaw()).isFalse();
        }
    }

    @Test
    void aFewPoorBatchesInARowSendManyRowsRaw() {
        gain.completed(100, 81);
        gain.completed(100, 100);
        gain.completed(100, 10);
        assertThat(rawRows()).isZero();
        for (int i = 0; i < LocalGain.POOR_BATCHES; i++) {
            assertThat(gain.takeRaw()).isFalse();
            gain.completed(100, 81);
        }
        assertThat(rawRows()).isEqualTo(100 * LocalGain.POOR_BATCHES * LocalGain.RAW_ROWS);
    }

    @Test
    void thenOneBatchDecides() {
        for (int i = 0; i < LocalGain.POOR_BATCHES; i++) {
            gain.completed(10, 10);
        }
        rawRows();
        gain.completed(7, 7);
        assertThat(rawRows()).isEqualTo(7 * LocalGain.RAW_ROWS);
        gain.completed(10, 1);
        gain.completed(10, 10);
        assertThat(rawRows()).isZero();
    }

    @Test
    void batchesInFlightMeanwhileCountNothing() {
        for (int i = 0; i < LocalGain.POOR_BATCHES + 5; i++) {
            gain.completed(10, 10);
        }
        assertThat(rawRows()).isEqualTo(10 * LocalGain.POOR_BATCHES * LocalGain.RAW_ROWS);
    }

    private int rawRows() {
        int rows = 0;
        while (gain.takeRaw()) {
            rows++;
        }
        return rows;
    }
}
