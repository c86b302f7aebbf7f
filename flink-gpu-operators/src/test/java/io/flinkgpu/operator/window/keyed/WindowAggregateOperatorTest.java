package io.flinkgpu.operator.window.keyed;

import io.flinkgpu.operator.window.Row;
import io.flinkgpu.operator.window.WindowInput;

import org.apache.flink.streaming.api.windowing.assigners.EventTimeSessionWindows;
import org.apache.flink.streaming.api.windowing.assigners.SlidingEventTimeWindows;
import org.apache.flink.streaming.api.windowing.assigners.TumblingEventTimeWindows;
import org.apache.flink.streaming.api.windowing.assigners.TumblingProcessingTimeWindows;
import org.apache.flink.streaming.api.windowing.assigners.WindowAssigner;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.time.Duration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * When the window operator touches state, and what it says.
 *
 * <p>Covers: WindowAggregateOperator.
 */
class WindowAggregateOperatorTest {

    private static final int MANY = 1 << 16;

    private WindowHarness<WindowInput<String, Row>> harness;

    @AfterEach
    void close() {
        harness.close();
    }

    @Test
    void watermarksThatReachNoWindowLeaveTheBufferInMemory() throws Exception {
        open(tumbling(), 0, MANY);
        raw("a", 1, 3);
        raw("a", 2, 4);
        raw("a", 3, 14);
        harness.processWatermark(8);
        assertThat(harness.gauge("bufferedPartials")).isEqualTo(2);
        assertThat(harness.stateEntries()).isZero();
        harness.processWatermark(9);
        assertThat(harness.takeResults()).hasSize(1);
        assertThat(harness.gauge("bufferedPartials")).isEqualTo(1);
        assertThat(harness.counter("drains")).isEqualTo(1);
        assertThat(harness.counter("drainedPartials")).isEqualTo(1);
    }

    @Test
    void nothingIsBufferedWhenABarrierPasses() throws Exception {
        open(tumbling(), 0, MANY);
        raw("a", 1, 3);
        harness.prepareSnapshotPreBarrier(1);
        assertThat(harness.gauge("bufferedPartials")).isEqualTo(0);
        assertThat(harness.stateEntries()).isEqualTo(1);
        assertThat(harness.numEventTimeTimers()).isEqualTo(1);
        assertThat(harness.takeResults()).isEmpty();
    }

    @Test
    void theBufferIsBounded() throws Exception {
        open(tumbling(), 0, 10);
        for (int i = 0; i < 11; i++) {
            raw("key" + i, i, 3);
        }
        assertThat(harness.gauge("bufferedPartials")).isEqualTo(0);
        assertThat(harness.stateEntries()).isEqualTo(11);
    }

    @Test
    void theEndOfTheInputDrains() throws Exception {
        open(TumblingProcessingTimeWindows.of(Duration.ofMillis(10)), 0, MANY);
        raw("a", 1, 3);
        harness.endInput();
        assertThat(harness.stateEntries()).isEqualTo(1);
    }

    @Test
    void aSessionOfSeveralRecordsThatEqualsOneInStateJoinsIt() throws Exception {
        open(EventTimeSessionWindows.withGap(Duration.ofMillis(5)), 0, MANY);
        raw("a", 1, 12);
        harness.prepareSnapshotPreBarrier(1);
        raw("a", 10, 10);
        harness.prepareSnapshotPreBarrier(2);
        partial(new Row("a", 100, 0.5), 10, 17);
        harness.processWatermark(16);
        assertThat(harness.takeResults())
                .containsExactly("a [10, 17) [1, 100, 111, 3, 0.5, 0.5, 0.5, 1, 100, [a]] @16");
        assertThat(harness.stateEntries()).isZero();
    }

    @Test
    void aRecordThatIsLateForOneOfItsWindowsCountsInTheOthers() throws Exception {
        open(SlidingEventTimeWindows.of(Duration.ofMillis(10), Duration.ofMillis(5)), 0, MANY);
        harness.processWatermark(4);
        raw("a", 1, 1);
        assertThat(harness.counter("slowRecords")).isEqualTo(1);
        harness.processWatermark(9);
        assertThat(harness.takeResults())
                .containsExactly("a [0, 10) [1, 1, 1, 1, null, null, null, 0, null, null] @9");
        assertThat(harness.counter("numLateRecordsDropped")).isZero();
    }

    /** After a restore the watermark is unknown, so a window may have fired and be open again. */
    @Test
    void aRestoredWindowThatHasFiredFiresAgain() throws Exception {
        open(tumbling(), 100, MANY);
        raw("a", 1, 3);
        harness.processWatermark(20);
        assertThat(harness.takeResults()).hasSize(1);
        var state = harness.checkpoint(1);
        harness.close();
        harness = WindowHarness.ours(tumbling(), 100, false, MANY, 1 << 20, true).start(state);
        raw("a", 10, 4);
        harness.processWatermark(20);
        assertThat(harness.takeResults())
                .containsExactly("a [0, 10) [1, 10, 11, 2, null, null, null, 0, null, null] @9");
    }

    @Test
    void aPartialBehindTheWatermarkFailsTheTask() throws Exception {
        open(tumbling(), 100, MANY);
        harness.processWatermark(8);
        partial(new Row("a", 1, null), 0, 10);
        harness.processWatermark(9);
        assertThatThrownBy(() -> partial(new Row("a", 1, null), 0, 10))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("key=a, start=0, end=10, watermark=9")
                .hasMessageContaining("use localAggregation(false)");
    }

    @Test
    void aSessionAtTheWatermarkFailsTheTask() throws Exception {
        open(EventTimeSessionWindows.withGap(Duration.ofMillis(5)), 0, MANY);
        harness.processWatermark(8);
        partial(new Row("a", 1, null), 10, 15);
        assertThatThrownBy(() -> partial(new Row("b", 1, null), 9, 14))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("key=b, start=9, end=14, watermark=8");
    }

    @Test
    void aSumThatOverflowsNamesTheKeyAndTheWindow() throws Exception {
        open(tumbling(), 0, MANY);
        raw("big", Long.MAX_VALUE, 3);
        raw("big", 1, 3);
        assertThatThrownBy(() -> harness.processWatermark(9))
                .isInstanceOf(ArithmeticException.class)
                .hasMessageContaining("number")
                .hasMessageContaining("key=big")
                .hasMessageContaining("window=TimeWindow{start=0, end=10}");
    }

    @Test
    void aRecordWithoutATimestampHasNoWindow() throws Exception {
        open(tumbling(), 0, MANY);
        assertThatThrownBy(() -> raw("a", 1, Long.MIN_VALUE))
                .hasMessageContaining("Record has Long.MIN_VALUE timestamp");
    }

    private void open(WindowAssigner<Object, ?> assigner, long lateness, int slices)
            throws Exception {
        harness = WindowHarness.ours(assigner, lateness, false, slices, 1 << 20, true).start(null);
    }

    private void raw(String key, long number, long timestamp) throws Exception {
        harness.processElement(WindowInput.raw(new Row(key, number, null)), timestamp);
    }

    private void partial(Row row, long start, long end) throws Exception {
        harness.processElement(WindowHarness.block(start, end, row), 0);
    }

    private static TumblingEventTimeWindows tumbling() {
        return TumblingEventTimeWindows.of(Duration.ofMillis(10));
    }
}
