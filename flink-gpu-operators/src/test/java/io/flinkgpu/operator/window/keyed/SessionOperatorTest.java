package io.flinkgpu.operator.window.keyed;

import io.flinkgpu.operator.window.Row;
import io.flinkgpu.operator.window.WindowInput;
import io.flinkgpu.operator.window.WindowTrigger;

import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.state.rocksdb.EmbeddedRocksDBStateBackend;
import org.apache.flink.streaming.api.windowing.assigners.EventTimeSessionWindows;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * What sessions keep where; that they are Flink's sessions is {@link WindowEqualsFlinkTest}'s.
 *
 * <p>Covers: SessionOperator, FlinkSessions.
 */
class SessionOperatorTest {

    private static final long MUCH = 1 << 30;
    private static final long GAP = 10;

    private WindowHarness<WindowInput<String, Row>> harness;

    @AfterEach
    void close() {
        harness.close();
    }

    @Test
    void aRecordBetweenTwoSessionsMakesThemOne() throws Exception {
        open(0, MUCH, false, null);
        raw("a", 1, 100);
        raw("a", 2, 120);
        harness.processWatermark(108);
        raw("a", 4, 110);
        harness.processWatermark(128);
        assertThat(harness.takeResults()).isEmpty();
        harness.processWatermark(129);
        assertThat(harness.takeResults())
                .containsExactly("a [100, 130) [1, 4, 7, 3, null, null, null, 0, null, null] @129");
        assertThat(harness.gauge("heldGroups")).isEqualTo(0L);
    }

    @Test
    void noTimerAndNoStateOutsideSnapshots() throws Exception {
        open(0, MUCH, false, null);
        raw("a", 1, 3);
        assertThat(harness.numEventTimeTimers()).isZero();
        harness.checkpoint(1);
        assertThat(harness.stateEntries()).isEqualTo(1);
        raw("b", 2, 3);
        assertThat(harness.stateEntries()).isZero();
        harness.processWatermark(12);
        assertThat(harness.takeResults())
                .containsExactly(
                        "a [3, 13) [1, 1, 1, 1, null, null, null, 0, null, null] @12",
                        "b [3, 13) [2, 2, 2, 1, null, null, null, 0, null, null] @12");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aSessionThatHasFiredIsExtendedAfterARestore(boolean rocksDb) throws Exception {
        open(100, MUCH, rocksDb, null);
        raw("a", 1, 3);
        raw("b", 1, 3);
        harness.processWatermark(20);
        assertThat(harness.takeResults()).hasSize(2);
        OperatorSubtaskState state = harness.checkpoint(1);
        harness.close();
        open(100, MUCH, rocksDb, state);
        raw("a", 2, 5);
        harness.processWatermark(20);
        // The other has fired with all its records.
        assertThat(harness.takeResults())
                .containsExactly("a [3, 15) [1, 2, 3, 2, null, null, null, 0, null, null] @14");
        harness.processWatermark(112);
        assertThat(harness.gauge("heldGroups")).isEqualTo(1L);
        harness.processWatermark(114);
        assertThat(harness.gauge("heldGroups")).isEqualTo(0L);
        harness.checkpoint(2);
        assertThat(harness.stateEntries()).isZero();
    }

    /** They would be there beside those of longer sessions, once state is Flink's again. */
    @Test
    void timersOfFlinksStateAreRemoved() throws Exception {
        harness = ours(0, MUCH, true);
        harness.start(null);
        raw("a", 1, 3);
        OperatorSubtaskState state = harness.checkpoint(1);
        assertThat(harness.numEventTimeTimers()).isEqualTo(1);
        harness.close();
        open(0, MUCH, false, state);
        assertThat(harness.numEventTimeTimers()).isZero();
        raw("a", 2, 5);
        state = harness.checkpoint(2);
        harness.close();
        harness = ours(0, MUCH, true);
        harness.start(state);
        assertThat(harness.numEventTimeTimers()).isEqualTo(1);
        harness.processWatermark(14);
        assertThat(harness.takeResults())
                .containsExactly("a [3, 15) [1, 2, 3, 2, null, null, null, 0, null, null] @14");
    }

    /** Ten rounds of other keys need no more memory than one. */
    @Test
    void whatKeysOfBeforeHadIsGivenBack() throws Exception {
        open(0, MUCH, false, null);
        long most = 0;
        for (int round = 0; round < 10; round++) {
            for (int i = 0; i < 3_000; i++) {
                raw("key" + round + "-" + i, i, 100L * round);
            }
            harness.processWatermark(100L * round + 50);
            assertThat(harness.takeResults()).hasSize(3_000);
            if (round < 2) {
                most = Math.max(most, (long) harness.gauge("heldBytes"));
            }
            assertThat((long) harness.gauge("heldBytes")).isLessThanOrEqualTo(most);
        }
        assertThat(harness.gauge("heldGroups")).isEqualTo(0L);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void sessionsOverTheBudgetAreInState(boolean rocksDb) throws Exception {
        open(0, 1 << 17, rocksDb, null);
        for (int round = 0; round < 3; round++) {
            for (int i = 0; i < 3_000; i++) {
                raw("key" + i, i, 3 + 5 * round);
            }
            harness.checkpoint(round + 1);
            assertThat((long) harness.gauge("heldBytes")).isLessThanOrEqualTo(1 << 17);
        }
        OperatorSubtaskState state = harness.checkpoint(4);
        harness.close();
        open(0, 1 << 17, rocksDb, state);
        harness.processWatermark(21);
        assertThat(harness.takeResults()).isEmpty();
        harness.processWatermark(22);
        assertThat(harness.takeResults())
                .hasSize(3_000)
                .allMatch(result -> result.contains(" [3, 23) ") && result.contains(", 3, "));
        harness.checkpoint(5);
        assertThat(harness.stateEntries()).isZero();
    }

    @Test
    void sessionsInStateAreReadOnlyWhenOneIsDue() throws Exception {
        EventTimeSessionWindows windows = EventTimeSessionWindows.withGap(Duration.ofMillis(GAP));
        // Of several key groups, which go back to state one by one.
        harness = WindowHarness.subtask(windows, WindowTrigger.of(windows), 1 << 17, 1, 0);
        harness.start(null);
        raw("first", 1, 3);
        for (int i = 0; i < 3_000; i++) {
            raw("key" + i, i, 1_000);
        }
        harness.processWatermark(12);
        assertThat(harness.takeResults()).singleElement().asString().startsWith("first ");
        long stored = harness.counter("storedGroups");
        assertThat(stored).isGreaterThanOrEqualTo(3_000);
        for (int i = 13; i < 20; i++) {
            harness.processWatermark(i);
        }
        assertThat(harness.counter("storedGroups")).isEqualTo(stored);
        harness.processWatermark(1_009);
        assertThat(harness.takeResults()).hasSize(3_000);
    }

    @Test
    void sessionsComeBackToMemoryOnceTheyAreFew() throws Exception {
        open(0, 1 << 17, true, null);
        for (int i = 0; i < 3_000; i++) {
            raw("key" + i, i, 3);
        }
        for (int i = 0; i < 100; i++) {
            raw("other" + i, i, 50 + i);
        }
        harness.processWatermark(12);
        assertThat(harness.takeResults()).hasSize(3_000);
        assertThat(harness.gauge("heldGroups")).isEqualTo(0L);
        for (int i = 0; i < 3; i++) {
            harness.processWatermark(59 + i);
            assertThat(harness.takeResults())
                    .singleElement()
                    .asString()
                    .startsWith("other" + i + " [" + (50 + i) + ", " + (60 + i) + ")");
        }
        assertThat(harness.gauge("heldGroups")).isEqualTo(97L);
        assertThat(harness.stateEntries()).isZero();
    }

    @Test
    void aRecordThatIsLateForItsOwnSessionJoinsAnother() throws Exception {
        open(0, MUCH, false, null);
        raw("a", 1, 15);
        harness.processWatermark(16);
        raw("a", 2, 6);
        raw("b", 2, 6);
        assertThat(harness.counter("slowRecords")).isEqualTo(2);
        assertThat(harness.counter("numLateRecordsDropped")).isEqualTo(1);
        harness.processWatermark(24);
        assertThat(harness.takeResults())
                .containsExactly("a [6, 25) [1, 2, 3, 2, null, null, null, 0, null, null] @24");
    }

    @Test
    void aSessionThatWouldNotEndIsNone() throws Exception {
        open(0, MUCH, false, null);
        raw("a", 1, Long.MAX_VALUE - 3);
        harness.processWatermark(Long.MAX_VALUE);
        assertThat(harness.takeResults()).isEmpty();
        assertThat(harness.gauge("heldGroups")).isEqualTo(0L);
    }

    @Test
    void groupsBehindTheWatermarkFailTheTask() throws Exception {
        open(100, MUCH, false, null);
        harness.processWatermark(8);
        harness.processElement(WindowHarness.block(10, 20, new Row("a", 1, null)), 0);
        assertThatThrownBy(
                        () ->
                                harness.processElement(
                                        WindowHarness.block(9, 19, new Row("b", 1, null)), 0))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage(
                        "records that were aggregated before the shuffle came behind the watermark,"
                                + " and cannot be told apart again: start=9, watermark=8; use"
                                + " localAggregation(false)");
    }

    @Test
    void aSumThatOverflowsNamesTheKeyAndTheWindow() throws Exception {
        open(0, MUCH, false, null);
        raw("big", Long.MAX_VALUE, 3);
        raw("big", 1, 3);
        assertThatThrownBy(() -> harness.processWatermark(12))
                .isInstanceOf(ArithmeticException.class)
                .hasMessageContaining("key=big")
                .hasMessageContaining("window=TimeWindow{start=3, end=13}");
    }

    private void open(long lateness, long memoryBytes, boolean rocksDb, OperatorSubtaskState state)
            throws Exception {
        harness = ours(lateness, memoryBytes, false);
        if (rocksDb) {
            harness.setStateBackend(new EmbeddedRocksDBStateBackend());
        }
        harness.start(state);
    }

    private static WindowHarness<WindowInput<String, Row>> ours(
            long lateness, long memoryBytes, boolean flinkState) throws Exception {
        return WindowHarness.ours(
                EventTimeSessionWindows.withGap(Duration.ofMillis(GAP)),
                lateness,
                false,
                1 << 16,
                memoryBytes,
                flinkState);
    }

    private void raw(String key, long number, long timestamp) throws Exception {
        harness.processElement(WindowInput.raw(new Row(key, number, null)), timestamp);
    }
}
