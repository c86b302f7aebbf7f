package io.flinkgpu.operator.window.keyed;

import io.flinkgpu.operator.window.Row;
import io.flinkgpu.operator.window.WindowInput;

import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.state.rocksdb.EmbeddedRocksDBStateBackend;
import org.apache.flink.streaming.api.windowing.assigners.GlobalWindows;
import org.apache.flink.streaming.api.windowing.assigners.SlidingEventTimeWindows;
import org.apache.flink.streaming.api.windowing.assigners.TumblingEventTimeWindows;
import org.apache.flink.streaming.api.windowing.assigners.WindowAssigner;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Covers: SlicedWindowOperator.
 */
class SlicedWindowOperatorTest {

    private static final long MUCH = 1 << 30;

    private WindowHarness<WindowInput<String, Row>> harness;

    @AfterEach
    void close() throws Exception {
        harness.close();
    }

    @Test
    void whatIsOnTheHeapOfStateGoesWithTheNextRecord() throws Exception {
        open(tumbling(), 0, MUCH, false, null);
        raw("a", 1, 3);
        harness.checkpoint(1);
        assertThat(harness.stateEntries() - harness.summaries()).isEqualTo(1);
        raw("a", 2, 3);
        assertThat(harness.stateEntries() - harness.summaries()).isZero();
        harness.processWatermark(9);
        assertThat(harness.takeResults())
                .containsExactly("a [0, 10) [1, 2, 3, 2, null, null, null, 0, null, null] @9");
    }

    /** A record that comes after a snapshot belongs to its own key, not to one that state was cleared of. */
    @Test
    void keysAreNotMixedUpAfterASnapshot() throws Exception {
        open(tumbling(), 0, MUCH, false, null);
        raw("a", 1, 3);
        harness.checkpoint(1);
        raw("b", 2, 3);
        harness.processWatermark(9);
        assertThat(harness.takeResults())
                .containsExactly(
                        "a [0, 10) [1, 1, 1, 1, null, null, null, 0, null, null] @9",
                        "b [0, 10) [2, 2, 2, 1, null, null, null, 0, null, null] @9");
    }

    @Test
    void aSnapshotWritesOnlyWhatChanged() throws Exception {
        open(GlobalWindows.createWithEndOfStreamTrigger(), 0, MUCH, true, null);
        for (int i = 0; i < 20_000; i++) {
            raw("key" + i, i, 0);
        }
        harness.checkpoint(1);
        assertThat(harness.counter("storedGroups")).isEqualTo(20_000);
        for (int i = 0; i < 200; i++) {
            raw("key" + 100 * i, i, 0);
        }
        OperatorSubtaskState state = harness.checkpoint(2);
        assertThat(harness.counter("storedGroups")).isEqualTo(20_200);
        harness.close();
        open(GlobalWindows.createWithEndOfStreamTrigger(), 0, MUCH, true, state);
        harness.processWatermark(Long.MAX_VALUE);
        List<String> results = harness.takeResults();
        assertThat(results)
                .hasSize(20_000)
                .anyMatch(
                        result ->
                                result.startsWith("key300 ") && result.contains("[3, 300, 303, 2,"))
                .anyMatch(
                        result ->
                                result.startsWith("key301 ")
                                        && result.contains("[301, 301, 301, 1,"));
    }

    /**
     * Changes go through all tiers of state and back to a layer written anew, with restores in between: from
     * checkpoints, and from savepoints in the format of all backends, to the heap and back.
     */
    @Test
    void manySnapshotsOfFewChangesHoldWhatAFewWritesWould() throws Exception {
        long seed = Long.getLong("seed", System.nanoTime());
        Random random = new Random(seed);
        Map<String, long[]> expected = new HashMap<>();
        GlobalWindows windows = GlobalWindows.createWithEndOfStreamTrigger();
        open(windows, 0, MUCH, true, null);
        boolean rocksDb = true;
        for (int i = 0; i < 3_000; i++) {
            count("key" + i, random.nextInt(100), expected);
        }
        for (int checkpoint = 1; checkpoint <= 150; checkpoint++) {
            OperatorSubtaskState state;
            if (random.nextInt(15) == 0) {
                state = harness.savepoint(checkpoint);
                harness.close();
                rocksDb = random.nextInt(3) > 0;
                open(windows, 0, MUCH, rocksDb, state);
            } else {
                state = harness.checkpoint(checkpoint);
                if (random.nextInt(40) == 0) {
                    harness.close();
                    open(windows, 0, MUCH, rocksDb, state);
                }
            }
            for (int i = random.nextInt(10) == 0 ? random.nextInt(2_000) : 30; i > 0; i--) {
                count("key" + random.nextInt(3_500), random.nextInt(100), expected);
            }
        }
        harness.processWatermark(Long.MAX_VALUE);
        List<String> results = harness.takeResults();
        assertThat(results).as("seed=" + seed).hasSameSizeAs(expected.keySet());
        for (String result : results) {
            long[] values = expected.get(result.substring(0, result.indexOf(' ')));
            assertThat(result)
                    .as("seed=" + seed)
                    .contains(", " + values[0] + ", " + values[1] + ", null");
        }
    }

    private void count(String key, int number, Map<String, long[]> expected) throws Exception {
        raw(key, number, 0);
        long[] values = expected.computeIfAbsent(key, k -> new long[2]);
        values[0] += number;
        values[1]++;
    }

    @Test
    void whatSnapshotsOfFewChangesWriteAndHold() throws Exception {
        open(GlobalWindows.createWithEndOfStreamTrigger(), 0, MUCH, true, null);
        for (int i = 0; i < 10_000; i++) {
            raw("key" + i, i, 0);
        }
        harness.checkpoint(1);
        int entriesAWrite = harness.stateEntries() - (int) harness.summaries();
        int changed = 0;
        for (int checkpoint = 2; checkpoint <= 64; checkpoint++) {
            for (int i = 0; i < 100; i++) {
                raw("key" + changed++ % 10_000, i, 0);
            }
            harness.checkpoint(checkpoint);
            int writes = (harness.stateEntries() - (int) harness.summaries()) / entriesAWrite;
            assertThat(writes).isLessThanOrEqualTo(1 + 3 + 3 + 3);
        }
        // All once; 1 % in 48 of 63 writes, 4 % in 12, 16 % in three.
        assertThat(harness.counter("storedGroups"))
                .isEqualTo(10_000 + 48 * 100 + 12 * 400 + 3 * 1_600);
        for (int i = 0; i < 100; i++) {
            raw("key" + i, i, 0);
        }
        harness.checkpoint(65);
        assertThat(harness.stateEntries() - (int) harness.summaries()).isEqualTo(entriesAWrite);
    }

    /** A restore does not make runs that hold groups of others fewer. */
    @Test
    void runsThatWereRestoredAreWrittenAnewOnceTheyHoldTwiceTheGroups() throws Exception {
        GlobalWindows windows = GlobalWindows.createWithEndOfStreamTrigger();
        open(windows, 0, MUCH, true, null);
        for (int i = 0; i < 5_000; i++) {
            raw("key" + i, i, 0);
        }
        harness.checkpoint(1);
        int entriesAWrite = harness.stateEntries() - (int) harness.summaries();
        for (int attempt = 2; attempt < 12; attempt++) {
            for (int i = 0; i < 2_000; i++) {
                raw("key" + i, i, 0);
            }
            OperatorSubtaskState state = harness.checkpoint(attempt);
            assertThat(harness.stateEntries() - (int) harness.summaries())
                    .isLessThanOrEqualTo(4 * entriesAWrite);
            harness.close();
            open(windows, 0, MUCH, true, state);
        }
    }

    @Test
    void runsThatHoldTwiceTheGroupsAreWrittenAnew() throws Exception {
        open(GlobalWindows.createWithEndOfStreamTrigger(), 0, MUCH, true, null);
        for (int round = 1; round <= 6; round++) {
            for (int i = 0; i < 2_000; i++) {
                raw("key" + i, i, 0);
            }
            harness.checkpoint(round);
        }
        // Twice 2,000 and another 1,024 are left as they are.
        assertThat(harness.stateEntries() - harness.summaries()).isLessThanOrEqualTo(3);
        harness.processWatermark(Long.MAX_VALUE);
        assertThat(harness.takeResults())
                .hasSize(2_000)
                .allMatch(result -> result.contains(", 6, "));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void groupsOverTheBudgetAreInState(boolean rocksDb) throws Exception {
        open(tumbling(), 0, 1 << 18, rocksDb, null);
        for (int round = 0; round < 3; round++) {
            for (int i = 0; i < 5_000; i++) {
                raw("key" + i, i, 3);
            }
            harness.checkpoint(round + 1);
            assertThat((long) harness.gauge("heldBytes")).isLessThanOrEqualTo(1 << 18);
        }
        harness.processWatermark(9);
        assertThat(harness.takeResults())
                .hasSize(5_000)
                .allMatch(result -> result.contains(", 3, "));
        assertThat(harness.stateEntries() - harness.summaries()).isZero();
        assertThat(harness.gauge("heldGroups")).isEqualTo(0L);
    }

    @Test
    void whatTakesTheMostMemoryGoesToStateFirst() throws Exception {
        open(tumbling(), 0, 1 << 20, false, null);
        for (int i = 0; i < 200; i++) {
            raw("key" + i, i, 13);
        }
        String longKey = "long".repeat(25_000);
        for (int i = 0; i < 20; i++) {
            raw(longKey + i, i, 3);
        }
        harness.checkpoint(1);
        assertThat((long) harness.gauge("heldBytes")).isLessThanOrEqualTo(1 << 20);
        assertThat((long) harness.gauge("heldGroups")).isGreaterThanOrEqualTo(200);
        harness.processWatermark(19);
        assertThat(harness.takeResults()).hasSize(220);
    }

    /** Groups of 5,000 keys have room in three runs, and the tables that went to state are 70 and more. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void stateOverTheBudgetGrowsWithKeysAndNotWithRecords(boolean rocksDb) throws Exception {
        open(tumbling(), 0, 1 << 18, rocksDb, null);
        int most = 0;
        for (int round = 0; round < 30; round++) {
            for (int i = 0; i < 5_000; i++) {
                raw("key" + i, i, 3);
            }
            most = Math.max(most, harness.stateEntries());
        }
        assertThat(harness.counter("storedGroups")).isLessThan(5L * 30 * 5_000);
        assertThat(most).isLessThan(16);
        harness.processWatermark(9);
        assertThat(harness.takeResults())
                .hasSize(5_000)
                .allMatch(result -> result.contains(", 30, "));
        assertThat(harness.stateEntries()).isZero();
    }

    @Test
    void restoresMoreThanTheBudget() throws Exception {
        open(tumbling(), 0, MUCH, true, null);
        for (int i = 0; i < 20_000; i++) {
            raw("key" + i, i, i % 20);
        }
        OperatorSubtaskState state = harness.checkpoint(1);
        harness.close();
        open(tumbling(), 0, 1 << 16, true, state);
        raw("key7", 1, 3);
        harness.processWatermark(19);
        assertThat(harness.takeResults()).hasSize(20_000);
    }

    @Test
    void aRecordThatIsLateForOneOfItsWindowsCountsInTheOthers() throws Exception {
        WindowAssigner<Object, ?> sliding =
                SlidingEventTimeWindows.of(Duration.ofMillis(10), Duration.ofMillis(5));
        open(sliding, 0, MUCH, false, null);
        harness.processWatermark(4);
        raw("a", 1, 1);
        assertThat(harness.counter("slowRecords")).isEqualTo(1);
        harness.processWatermark(9);
        assertThat(harness.takeResults())
                .containsExactly("a [0, 10) [1, 1, 1, 1, null, null, null, 0, null, null] @9");
        assertThat(harness.counter("numLateRecordsDropped")).isZero();
    }

    @Test
    void whatALateRecordBeganIsForgottenWhenItsWindowIs() throws Exception {
        open(tumbling(), 100, MUCH, false, null);
        harness.processWatermark(20);
        raw("a", 1, 3);
        assertThat(harness.takeResults())
                .containsExactly("a [0, 10) [1, 1, 1, 1, null, null, null, 0, null, null] @9");
        harness.processWatermark(108);
        assertThat(harness.gauge("heldGroups")).isEqualTo(1L);
        harness.processWatermark(109);
        assertThat(harness.gauge("heldGroups")).isEqualTo(0L);
        assertThat(harness.takeResults()).isEmpty();
    }

    @Test
    void groupsBehindTheWatermarkFailTheTask() throws Exception {
        open(tumbling(), 100, MUCH, false, null);
        harness.processWatermark(9);
        assertThatThrownBy(
                        () ->
                                harness.processElement(
                                        WindowHarness.block(0, 10, new Row("a", 1, null)), 0))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("start=0, end=10, watermark=9")
                .hasMessageContaining("use localAggregation(false)");
    }

    @Test
    void aSumThatOverflowsNamesTheKeyAndTheWindow() throws Exception {
        open(tumbling(), 0, MUCH, false, null);
        raw("big", Long.MAX_VALUE, 3);
        raw("big", 1, 3);
        assertThatThrownBy(() -> harness.processWatermark(9))
                .isInstanceOf(ArithmeticException.class)
                .hasMessageContaining("key=big")
                .hasMessageContaining("window=TimeWindow{start=0, end=10}");
    }

    private void open(
            WindowAssigner<Object, ?> assigner,
            long lateness,
            long memoryBytes,
            boolean rocksDb,
            OperatorSubtaskState state)
            throws Exception {
        harness = WindowHarness.ours(assigner, lateness, false, 1 << 16, memoryBytes, false);
        if (rocksDb) {
            harness.setStateBackend(new EmbeddedRocksDBStateBackend());
        }
        harness.start(state);
    }

    private void raw(String key, long number, long timestamp) throws Exception {
        harness.processElement(WindowInput.raw(new Row(key, number, null)), timestamp);
    }

    private static TumblingEventTimeWindows tumbling() {
        return TumblingEventTimeWindows.of(Duration.ofMillis(10));
    }
}
