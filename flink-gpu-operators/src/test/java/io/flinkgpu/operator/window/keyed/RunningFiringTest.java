package io.flinkgpu.operator.window.keyed;

import io.flinkgpu.operator.window.Row;
import io.flinkgpu.operator.window.WindowInput;
import io.flinkgpu.operator.window.WindowTrigger;

import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.state.rocksdb.EmbeddedRocksDBStateBackend;
import org.apache.flink.streaming.api.windowing.assigners.GlobalWindows;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Covers: RunningFiring.
 */
class RunningFiringTest {

    private static final long SEED = Long.getLong("seed", 20_261_123L);
    private static final long MUCH = 1 << 30;

    private WindowHarness<WindowInput<String, Row>> harness;

    @AfterEach
    void close() {
        harness.close();
    }

    @Test
    void onlyKeysThatChangedAreEmittedAndOnceInATime() throws Exception {
        open(MUCH, false, null);
        raw("a", 1);
        raw("a", 2);
        raw("b", 5);
        harness.setProcessingTime(9);
        assertThat(harness.takeResults()).isEmpty();
        harness.setProcessingTime(10);
        assertThat(harness.takeResults()).containsExactly(result("a", 1, 2, 3, 2), one("b", 5));
        harness.setProcessingTime(95);
        raw("a", 4);
        harness.setProcessingTime(104);
        assertThat(harness.takeResults()).isEmpty();
        harness.setProcessingTime(105);
        assertThat(harness.takeResults()).containsExactly(result("a", 1, 4, 7, 3));
        assertThat(harness.getProcessingTimeService().getNumActiveTimers()).isZero();
    }

    @Test
    void whatChangedIsEmittedAtTheEnd() throws Exception {
        open(MUCH, false, null);
        raw("a", 1);
        harness.setProcessingTime(10);
        raw("b", 2);
        harness.processWatermark(5);
        harness.processElement(block("c", 3), 0);
        harness.takeResults();
        raw("a", 1);
        harness.processWatermark(Long.MAX_VALUE);
        assertThat(harness.takeResults())
                .containsExactly(result("a", 1, 1, 2, 2), one("b", 2), one("c", 3));
        raw("b", 1);
        harness.getOperator().finish();
        assertThat(harness.takeResults()).containsExactly(result("b", 1, 2, 3, 2));
    }

    /** A snapshot takes out the mark of what changed since the last one, not that of what is to be emitted. */
    @ParameterizedTest
    @CsvSource({"false", "true"})
    void aSnapshotBetweenAChangeAndItsUpdateLosesNothing(boolean rocksDb) throws Exception {
        open(MUCH, rocksDb, null);
        raw("a", 1);
        harness.checkpoint(1);
        harness.setProcessingTime(10);
        assertThat(harness.takeResults()).containsExactly(one("a", 1));
        harness.checkpoint(2);
        raw("b", 2);
        OperatorSubtaskState state = harness.checkpoint(3);
        harness.close();
        open(MUCH, rocksDb, state);
        harness.setProcessingTime(10);
        assertThat(harness.takeResults()).containsExactly(one("a", 1), one("b", 2));
        raw("b", 3);
        harness.setProcessingTime(20);
        assertThat(harness.takeResults()).containsExactly(result("b", 2, 3, 5, 2));
    }

    @ParameterizedTest
    @CsvSource({"1073741824, false", "65536, false", "65536, true", "1, false"})
    void theLastUpdateOfAKeyIsThatOfAllItsRecords(long memoryBytes, boolean rocksDb)
            throws Exception {
        Random random = new Random(SEED);
        Map<String, long[]> sums = new TreeMap<>();
        Map<String, String> updates = new TreeMap<>();
        open(memoryBytes, rocksDb, null);
        int keys = memoryBytes == 1 ? 20 : 2_000;
        for (int step = 1; step <= 4 * keys; step++) {
            String key = "key" + random.nextInt(keys);
            long number = random.nextInt(1000);
            long[] sum = sums.computeIfAbsent(key, k -> new long[] {number, number, 0, 0});
            sum[0] = Math.min(sum[0], number);
            sum[1] = Math.max(sum[1], number);
            sum[2] += number;
            sum[3]++;
            if (random.nextBoolean()) {
                raw(key, number);
            } else {
                harness.processElement(block(key, number), 0);
            }
            if (random.nextInt(keys) == 0) {
                harness.setProcessingTime(harness.getProcessingTime() + random.nextInt(30));
            }
            keep(updates);
            if (random.nextInt(2 * keys) == 0) {
                OperatorSubtaskState state = harness.checkpoint(step);
                harness.close();
                open(memoryBytes, rocksDb, state);
            }
        }
        harness.processWatermark(Long.MAX_VALUE);
        keep(updates);
        List<String> expected = new ArrayList<>();
        sums.forEach((key, sum) -> expected.add(result(key, sum[0], sum[1], sum[2], sum[3])));
        assertThat(updates.values())
                .as("seed=%d", SEED)
                .containsExactlyInAnyOrderElementsOf(expected);
    }

    private void keep(Map<String, String> updates) {
        for (String result : harness.takeResults()) {
            updates.put(result.substring(0, result.indexOf(' ')), result);
        }
    }

    private void open(long memoryBytes, boolean rocksDb, OperatorSubtaskState state)
            throws Exception {
        harness =
                WindowHarness.ours(
                        GlobalWindows.createWithEndOfStreamTrigger(),
                        WindowTrigger.running(10),
                        0,
                        false,
                        1 << 16,
                        memoryBytes,
                        false);
        if (rocksDb) {
            harness.setStateBackend(new EmbeddedRocksDBStateBackend());
        }
        harness.start(state);
    }

    private void raw(String key, long number) throws Exception {
        harness.processElement(WindowInput.raw(new Row(key, number, null)), 0);
    }

    private static WindowInput<String, Row> block(String key, long number) {
        return WindowHarness.block(Long.MIN_VALUE, Long.MAX_VALUE, new Row(key, number, null));
    }

    private static String one(String key, long number) {
        return result(key, number, number, number, 1);
    }

    /** Of the window of all time, without a timestamp. */
    private static String result(String key, long min, long max, long sum, long count) {
        return "%s [%d, %d) [%d, %d, %d, %d, null, null, null, 0, null, null]"
                .formatted(key, Long.MIN_VALUE, Long.MAX_VALUE, min, max, sum, count);
    }
}
