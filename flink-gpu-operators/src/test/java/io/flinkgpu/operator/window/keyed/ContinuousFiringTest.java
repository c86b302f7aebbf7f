package io.flinkgpu.operator.window.keyed;

import io.flinkgpu.operator.window.Row;
import io.flinkgpu.operator.window.WindowInput;
import io.flinkgpu.operator.window.WindowTrigger;

import org.apache.flink.streaming.api.windowing.assigners.GlobalWindows;
import org.apache.flink.streaming.api.windowing.assigners.TumblingEventTimeWindows;
import org.apache.flink.streaming.api.windowing.assigners.WindowAssigner;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.time.Duration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Beside {@link TriggerEqualsFlinkTest}.
 *
 * <p>Covers: ContinuousFiring.
 */
class ContinuousFiringTest {

    private WindowHarness<WindowInput<String, Row>> harness;

    @AfterEach
    void close() {
        harness.close();
    }

    /** Which Flink's operator does not reach. */
    @Test
    void theEndOfTheStreamFiresTheWindowOfAllTimeOnce() throws Exception {
        open(GlobalWindows.create(), WindowTrigger.Kind.CONTINUOUS_EVENT_TIME, 1 << 30);
        raw("a", 1, 12);
        harness.processWatermark(14);
        assertThat(harness.takeResults()).isEmpty();
        harness.processWatermark(Long.MAX_VALUE);
        assertThat(harness.takeResults()).hasSize(1);
        harness.processWatermark(Long.MAX_VALUE);
        assertThat(harness.takeResults()).isEmpty();
    }

    @Test
    void aKeyFiresFromTheMultipleAfterItsFirstRecordOnAlsoIfNothingIsNew() throws Exception {
        open(tumbling(), WindowTrigger.Kind.CONTINUOUS_EVENT_TIME, 1 << 30);
        raw("a", 1, 12);
        raw("a", 2, 1);
        harness.processWatermark(10);
        assertThat(harness.takeResults()).isEmpty();
        harness.processWatermark(20);
        assertThat(harness.takeResults()).hasSize(2).allMatch(result -> result.contains(" 3, 2, "));
        harness.processWatermark(99);
        assertThat(harness.takeResults()).hasSize(16);
        assertThat(harness.gauge("heldGroups")).isEqualTo(0L);
    }

    @Test
    void thereIsOneTimerForAllKeys() throws Exception {
        open(tumbling(), WindowTrigger.Kind.CONTINUOUS_PROCESSING_TIME, 1 << 30);
        for (int i = 0; i < 1000; i++) {
            raw("key" + i, i, i % 300);
        }
        assertThat(harness.numProcessingTimeTimers()).isZero();
        assertThat(harness.getProcessingTimeService().getNumActiveTimers()).isEqualTo(1);
        harness.setProcessingTime(5);
        assertThat(harness.takeResults()).hasSize(1000);
        assertThat(harness.getProcessingTimeService().getNumActiveTimers()).isEqualTo(1);
    }

    @Test
    void groupsThatDoNotFitInMemoryFailTheJob() throws Exception {
        open(tumbling(), WindowTrigger.Kind.CONTINUOUS_PROCESSING_TIME, 1000);
        assertThatThrownBy(() -> raw("a", 1, 3))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("trigger=CONTINUOUS_PROCESSING_TIME, heldBytes=");
    }

    @Test
    void noGroupsComeFromBeforeTheShuffle() throws Exception {
        open(tumbling(), WindowTrigger.Kind.CONTINUOUS_EVENT_TIME, 1 << 30);
        assertThatThrownBy(
                        () ->
                                harness.processElement(
                                        WindowHarness.block(0, 100, new Row("a", 1, null)), 0))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageStartingWith("these windows are of records as they come: block=");
    }

    private void open(WindowAssigner<Object, ?> assigner, WindowTrigger.Kind kind, long memoryBytes)
            throws Exception {
        harness =
                WindowHarness.ours(
                        assigner,
                        new WindowTrigger(kind, 5, false),
                        0,
                        false,
                        1 << 16,
                        memoryBytes,
                        false);
        harness.start(null);
    }

    private void raw(String key, long number, long timestamp) throws Exception {
        harness.processElement(WindowInput.raw(new Row(key, number, null)), timestamp);
    }

    private static TumblingEventTimeWindows tumbling() {
        return TumblingEventTimeWindows.of(Duration.ofMillis(100));
    }
}
