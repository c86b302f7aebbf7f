package io.flinkgpu.operator.window.keyed;

import io.flinkgpu.operator.window.Row;
import io.flinkgpu.operator.window.WindowInput;
import io.flinkgpu.operator.window.WindowTrigger;

import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.state.rocksdb.EmbeddedRocksDBStateBackend;
import org.apache.flink.streaming.api.windowing.assigners.GlobalWindows;
import org.apache.flink.streaming.api.windowing.triggers.CountTrigger;
import org.apache.flink.streaming.api.windowing.triggers.PurgingTrigger;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.ArrayList;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Beside {@link TriggerEqualsFlinkTest}.
 *
 * <p>Covers: CountFiring.
 */
class CountFiringTest {

    private static final WindowTrigger EACH_TWO =
            new WindowTrigger(WindowTrigger.Kind.COUNT, 2, true);

    private WindowHarness<WindowInput<String, Row>> harness;

    @AfterEach
    void close() {
        harness.close();
    }

    @Test
    void recordsAreCountedAlsoWhereAllValuesAreNull() throws Exception {
        open(1 << 30, false, null);
        for (int i = 0; i < 5; i++) {
            raw("a", i);
        }
        harness.processWatermark(Long.MAX_VALUE);
        harness.getOperator().finish();
        assertThat(harness.takeResults()).containsExactly(pair("a", 0), pair("a", 2));
    }

    /** In a table and in state, whether what is there changed or not. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void keysThatWereEmptiedAreForgotten(boolean rocksDb) throws Exception {
        open(1 << 30, rocksDb, null);
        raw("kept", 0);
        for (int i = 0; i < 5_000; i++) {
            raw("key" + i, 0);
            raw("key" + i, 1);
            if (i % 1_000 == 0) {
                harness.checkpoint(1 + i);
            }
        }
        assertThat(harness.takeResults()).hasSize(5_000);
        OperatorSubtaskState state = harness.checkpoint(6_000);
        assertThat((long) harness.gauge("heldGroups")).isLessThanOrEqualTo(1_026);
        harness.close();
        open(1 << 30, rocksDb, state);
        assertThat((long) harness.gauge("heldGroups")).isLessThanOrEqualTo(1_026);
        raw("kept", 1);
        raw("key0", 0);
        assertThat(harness.takeResults()).containsExactly(pair("kept", 0));
    }

    /** While the rows of a block are added the tables stay. */
    @Test
    void keysThatWereEmptiedByABlockAreForgottenAfterIt() throws Exception {
        open(1 << 30, false, null);
        for (int i = 0; i < 5_000; i++) {
            raw("key" + i, 0);
        }
        List<Row> rows = new ArrayList<>();
        for (int i = 0; i < 10_001; i++) {
            rows.add(new Row("many", i % 2, null));
        }
        harness.processElement(new StreamRecord<>(WindowHarness.rows(EACH_TWO, rows)));
        assertThat(harness.takeResults()).hasSize(5_000).containsOnly(pair("many", 0));
        raw("many", 1);
        raw("key7", 1);
        assertThat(harness.takeResults())
                .containsExactlyInAnyOrder(pair("many", 0), pair("key7", 0));
        harness.checkpoint(1);
        assertThat((long) harness.gauge("heldGroups")).isEqualTo(5_001);
    }

    @Test
    void groupsThatDoNotFitInMemoryFailTheJob() throws Exception {
        open(1000, false, null);
        assertThatThrownBy(() -> raw("a", 1))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageStartingWith(
                        "windows that fire by the keys' own counts or times have to be in memory:"
                                + " trigger=COUNT, heldBytes=")
                .hasMessageEndingWith(
                        ", memoryLimitBytes=1000; raise memoryLimitBytes or the parallelism, or use"
                                + " Flink's own operator with ExactAggregate");
    }

    @Test
    void stateOfFlinksOperatorIsNotTakenOver() throws Exception {
        try (WindowHarness<Row> flinks =
                WindowHarness.flinks(
                        GlobalWindows.create(), PurgingTrigger.of(CountTrigger.of(2)), 0, false)) {
            flinks.start(null);
            flinks.processElement(new Row("a", 1, null), 0);
            OperatorSubtaskState state = flinks.checkpoint(1);
            assertThatThrownBy(() -> open(1 << 30, false, state))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage(
                            "state of Flink's window operator cannot go on with this trigger:"
                                    + " trigger=COUNT; go on with that operator, or let it drain its"
                                    + " windows first");
        }
    }

    private void open(long memoryBytes, boolean rocksDb, OperatorSubtaskState state)
            throws Exception {
        harness =
                WindowHarness.ours(
                        GlobalWindows.create(), EACH_TWO, 0, false, 1 << 16, memoryBytes, false);
        if (rocksDb) {
            harness.setStateBackend(new EmbeddedRocksDBStateBackend());
        }
        harness.start(state);
    }

    private void raw(String key, long number) throws Exception {
        harness.processElement(WindowInput.raw(new Row(key, number, null)), 0);
    }

    /** Of two numbers that follow each other. */
    private static String pair(String key, long first) {
        return "%s [%d, %d) [%d, %d, %d, 2, null, null, null, 0, null, null] @%d"
                .formatted(
                        key,
                        Long.MIN_VALUE,
                        Long.MAX_VALUE,
                        first,
                        first + 1,
                        2 * first + 1,
                        Long.MAX_VALUE);
    }
}
