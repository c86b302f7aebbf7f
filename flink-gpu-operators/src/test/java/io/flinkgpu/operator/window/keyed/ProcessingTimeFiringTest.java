package io.flinkgpu.operator.window.keyed;

import io.flinkgpu.operator.window.Row;
import io.flinkgpu.operator.window.WindowInput;

import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.streaming.api.windowing.assigners.SlidingProcessingTimeWindows;
import org.apache.flink.streaming.api.windowing.assigners.TumblingProcessingTimeWindows;
import org.apache.flink.streaming.api.windowing.assigners.WindowAssigner;
import org.apache.flink.streaming.runtime.tasks.TestProcessingTimeService;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * What Flink's operator does at the same times is compared in {@link WindowEqualsFlinkTest}.
 *
 * <p>Covers: ProcessingTimeFiring.
 */
class ProcessingTimeFiringTest {

    private WindowHarness<WindowInput<String, Row>> harness;

    @AfterEach
    void close() {
        harness.close();
    }

    @Test
    void aWindowFiresOnceWhenTheClockReachesItsLastMillisecond() throws Exception {
        open(tumbling(), 1 << 30, null);
        harness.setProcessingTime(3);
        raw("a", 1);
        raw("a", 2);
        harness.setProcessingTime(8);
        assertThat(harness.takeResults()).isEmpty();
        harness.setProcessingTime(9);
        assertThat(harness.takeResults())
                .containsExactly("a [0, 10) [1, 2, 3, 2, null, null, null, 0, null, null] @9");
        harness.setProcessingTime(40);
        assertThat(harness.takeResults()).isEmpty();
        assertThat(harness.gauge("heldGroups")).isEqualTo(0L);
    }

    @Test
    void thereIsOneTimerForAllKeys() throws Exception {
        open(tumbling(), 1 << 30, null);
        for (int i = 0; i < 1000; i++) {
            raw("key" + i, i);
        }
        assertThat(harness.numProcessingTimeTimers()).isZero();
        TestProcessingTimeService clock = harness.getProcessingTimeService();
        assertThat(clock.getNumActiveTimers()).isEqualTo(1);
        harness.setProcessingTime(9);
        assertThat(harness.takeResults()).hasSize(1000);
        assertThat(clock.getNumActiveTimers()).isZero();
    }

    @Test
    void aWindowThatEndedMeanwhileFiresAtOnceAfterARestore() throws Exception {
        open(tumbling(), 1 << 30, null);
        harness.setProcessingTime(3);
        raw("a", 1);
        OperatorSubtaskState state = harness.checkpoint(1);
        harness.close();
        harness = ours(tumbling(), 1 << 30);
        harness.setProcessingTime(500);
        harness.start(state);
        harness.setProcessingTime(500);
        assertThat(harness.takeResults())
                .containsExactly("a [0, 10) [1, 1, 1, 1, null, null, null, 0, null, null] @9");
    }

    /** As in Flink's operator, whose timer is in the past at once. */
    @Test
    void aClockThatIsSetBackMakesAWindowFireAgainWithWhatIsNew() throws Exception {
        open(sliding(), 1 << 30, null);
        harness.setProcessingTime(12);
        raw("a", 1);
        harness.setProcessingTime(14);
        assertThat(harness.takeResults())
                .containsExactly("a [5, 15) [1, 1, 1, 1, null, null, null, 0, null, null] @14");
        harness.setProcessingTime(13);
        raw("a", 2);
        raw("b", 3);
        harness.setProcessingTime(14);
        assertThat(harness.takeResults())
                .containsExactly(
                        "a [5, 15) [2, 2, 2, 1, null, null, null, 0, null, null] @14",
                        "b [5, 15) [3, 3, 3, 1, null, null, null, 0, null, null] @14");
        OperatorSubtaskState state = harness.checkpoint(1);
        harness.close();
        open(sliding(), 1 << 30, state);
        harness.setProcessingTime(19);
        assertThat(harness.takeResults())
                .containsExactly(
                        "a [10, 20) [1, 2, 3, 2, null, null, null, 0, null, null] @19",
                        "b [10, 20) [3, 3, 3, 1, null, null, null, 0, null, null] @19");
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 1 << 30})
    void watermarksMeanNothing(long memoryBytes) throws Exception {
        open(tumbling(), memoryBytes, null);
        raw("a", 1);
        harness.processWatermark(Long.MAX_VALUE);
        raw("a", 2);
        assertThat(harness.takeResults()).isEmpty();
        harness.setProcessingTime(9);
        assertThat(harness.takeResults())
                .containsExactly("a [0, 10) [1, 2, 3, 2, null, null, null, 0, null, null] @9");
    }

    @Test
    void noGroupsComeFromBeforeTheShuffle() throws Exception {
        open(tumbling(), 1 << 30, null);
        assertThatThrownBy(
                        () ->
                                harness.processElement(
                                        WindowHarness.block(0, 10, new Row("a", 1, null)), 0))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageStartingWith(
                        "these windows are of records as they come: block=GroupBlock[");
    }

    private void open(
            WindowAssigner<Object, ?> assigner, long memoryBytes, OperatorSubtaskState state)
            throws Exception {
        harness = ours(assigner, memoryBytes).start(state);
    }

    private static WindowHarness<WindowInput<String, Row>> ours(
            WindowAssigner<Object, ?> assigner, long memoryBytes) throws Exception {
        return WindowHarness.ours(assigner, 0, false, 1 << 16, memoryBytes, false);
    }

    private void raw(String key, long number) throws Exception {
        harness.processElement(WindowInput.raw(new Row(key, number, null)), 0);
    }

    private static TumblingProcessingTimeWindows tumbling() {
        return TumblingProcessingTimeWindows.of(Duration.ofMillis(10));
    }

    private static SlidingProcessingTimeWindows sliding() {
        return SlidingProcessingTimeWindows.of(Duration.ofMillis(10), Duration.ofMillis(5));
    }
}
