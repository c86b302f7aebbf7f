package io.flinkgpu.operator.window.local;

import io.flinkgpu.operator.FlushReason;
import io.flinkgpu.operator.window.Reading;
import io.flinkgpu.operator.window.SentGroup;
import io.flinkgpu.operator.window.WindowShape;

import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.runtime.watermarkstatus.WatermarkStatus;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Invariant: a watermark passes rows only while it makes no difference to them, so that no partial is
 * ever late.
 *
 * <p>Covers: LocalAggregator.
 */
@Timeout(60)
class LocalWatermarkTest {

    private static final WindowShape TUMBLING = WindowShape.tumbling(true, 10, 0);

    @Test
    void belowTheThresholdPassesTheOpenBatch() throws Exception {
        LocalHarness<String> harness = LocalHarness.of(TUMBLING).open();
        harness.process("a", 1, 1.0, 3);
        harness.processWatermark(8);
        harness.process("a", 2, 2.0, 9);
        assertThat(harness.output()).containsExactly(new Watermark(8));
        harness.endInput();
        assertThat(harness.partials()).hasSize(1);
        harness.close();
    }

    @Test
    void atTheThresholdWaitsForTheBatch() throws Exception {
        LocalHarness<String> harness = LocalHarness.of(TUMBLING).open();
        harness.process("a", 1, 1.0, 13);
        harness.process("a", 2, 2.0, 3);
        harness.processWatermark(9);
        assertThat(harness.partials()).extracting(SentGroup::startMillis).containsExactly(0L);
        assertThat(harness.output()).hasSize(2).last().isEqualTo(new Watermark(9));
        assertThat(harness.metrics().flushes(FlushReason.WATERMARK)).isEqualTo(1);
        harness.close();
    }

    @Test
    void atTheThresholdWaitsForBatchesInFlight() throws Exception {
        LocalHarness<String> harness = LocalHarness.of(TUMBLING).maxRows(1).open();
        harness.process("a", 1, 1.0, 3);
        harness.process("a", 2, 2.0, 13);
        harness.processWatermark(9);
        assertThat(harness.output()).last().isEqualTo(new Watermark(9));
        assertThat(harness.partials()).extracting(SentGroup::startMillis).contains(0L);
        harness.close();
    }

    @Test
    void ofASlidingWindowIsTheFirstThatEnds() throws Exception {
        LocalHarness<String> harness = LocalHarness.of(WindowShape.sliding(true, 10, 5, 0)).open();
        harness.process("a", 1, 1.0, 7);
        harness.processWatermark(8);
        assertThat(harness.partials()).isEmpty();
        harness.processWatermark(9);
        assertThat(harness.partials()).hasSize(1);
        harness.close();
    }

    @Test
    void ofASessionIsBeforeItsStart() throws Exception {
        LocalHarness<String> harness = LocalHarness.of(WindowShape.session(10)).open();
        harness.process("a", 1, 1.0, 107);
        harness.process("a", 1, 1.0, 100);
        harness.processWatermark(98);
        assertThat(harness.partials()).isEmpty();
        harness.processWatermark(99);
        assertThat(harness.output()).last().isEqualTo(new Watermark(99));
        assertThat(harness.partials()).hasSize(1);
        harness.close();
    }

    @Test
    void ofTheGlobalWindowIsTheLast() throws Exception {
        LocalHarness<String> harness = LocalHarness.of(WindowShape.global()).open();
        harness.process("a", 1, 1.0, 107);
        harness.processWatermark(Long.MAX_VALUE - 1);
        assertThat(harness.partials()).isEmpty();
        harness.processWatermark(Watermark.MAX_WATERMARK);
        assertThat(harness.partials()).hasSize(1);
        assertThat(harness.output()).last().isEqualTo(Watermark.MAX_WATERMARK);
        harness.close();
    }

    @Test
    void anIdleInputWaitsForTheBatchAndSendsRecordsRawFromThenOn() throws Exception {
        LocalHarness<String> harness = LocalHarness.of(TUMBLING).open();
        harness.process("a", 1, 1.0, 3);
        harness.processWatermarkStatus(WatermarkStatus.IDLE);
        assertThat(harness.output()).hasSize(2).last().isEqualTo(WatermarkStatus.IDLE);
        assertThat(harness.partials()).hasSize(1);
        assertThat(harness.metrics().flushes(FlushReason.IDLE)).isEqualTo(1);
        harness.processWatermarkStatus(WatermarkStatus.ACTIVE);
        // Others may have moved the windows' watermark past this record meanwhile.
        harness.process("a", 2, 2.0, 5);
        assertThat(harness.raw()).containsExactly(new Reading("a", 2, 2.0));
        harness.close();
    }
}
