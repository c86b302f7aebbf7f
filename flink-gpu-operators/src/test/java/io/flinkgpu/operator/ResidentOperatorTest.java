package io.flinkgpu.operator;

import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.DeviceOutOfMemoryException;
import io.flinkgpu.backend.ScriptedBackend.Call;
import io.flinkgpu.backend.ScriptedBackend.Script;

import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.streaming.api.operators.BoundedMultiInput;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.runtime.watermarkstatus.WatermarkStatus;

import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;

import static io.flinkgpu.operator.ResidentHarness.NEVER_FULL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Records and changes of what they are looked up in: order, marks, state, failures. */
@Timeout(60)
class ResidentOperatorTest {

    /** A record sees the changes before it and none after, wherever batches are cut. */
    @RepeatedTest(20)
    void resultsAreThoseOfTheOrderOfArrival() throws Exception {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        // No row alone: nothing but the one backend has the table.
        Script noMemoryAtTimes =
                (call, rows) -> {
                    if (call == Call.AWAIT && rows > 1 && rows % 3 != 0) {
                        throw new DeviceOutOfMemoryException("of this batch");
                    }
                };
        int maxRows = 1 + random.nextInt(10);
        List<Object> expected = new ArrayList<>();
        Map<String, String> table = new HashMap<>();
        try (ResidentHarness harness =
                ResidentHarness.open(NEVER_FULL.withMaxRows(maxRows), noMemoryAtTimes)) {
            for (int i = 0; i < 300; i++) {
                String key = "k" + random.nextInt(5);
                switch (random.nextInt(8)) {
                    case 0, 1 -> {
                        harness.change(key + "=" + i);
                        table.put(key, "" + i);
                    }
                    case 2 -> {
                        harness.change(key + "=");
                        table.remove(key);
                    }
                    case 3 -> harness.runMails();
                    case 4 -> {
                        Watermark mark = new Watermark(i);
                        harness.operator().processWatermark1(mark);
                        harness.operator().processWatermark2(mark);
                        expected.add(mark);
                    }
                    default -> {
                        harness.look(key, i);
                        expected.add(key + "=" + table.get(key));
                    }
                }
            }
            endInput(harness, 1);
            assertThat(harness.output()).as("seed=" + seed).isEqualTo(expected);
        }
    }

    @Test
    void changesThatFollowEachOtherAreAppliedTogether() throws Exception {
        List<String> calls = new ArrayList<>();
        Script remembered =
                (call, rows) -> {
                    if (call == Call.APPLY || call == Call.SUBMIT) {
                        calls.add(call + " " + rows);
                    }
                };
        try (ResidentHarness harness = ResidentHarness.open(NEVER_FULL, remembered)) {
            harness.change("a=1", "b=2", "a=3");
            harness.look("a", 0);
            harness.look("b", 0);
            harness.change("a=");
            harness.look("a", 0);
            endInput(harness, 1);
            assertThat(harness.output()).containsExactly("a=3", "b=2", "a=null");
        }
        assertThat(calls).containsExactly("APPLY 3", "SUBMIT 2", "APPLY 1", "SUBMIT 1");
    }

    @Test
    void theEndOfTheChangesIsNotThatOfTheRecords() throws Exception {
        try (ResidentHarness harness = ResidentHarness.open(NEVER_FULL, Script.NONE)) {
            harness.change("a=1");
            endInput(harness, 2);
            harness.look("a", 0);
            assertThat(harness.output()).isEmpty();
            endInput(harness, 1);
            assertThat(harness.output()).containsExactly("a=1");
        }
    }

    @Test
    void noBatchIsOpenAtABarrierAndTheTableIsRestored() throws Exception {
        OperatorSubtaskState state;
        try (ResidentHarness harness = ResidentHarness.open(NEVER_FULL, Script.NONE)) {
            harness.change("a=1", "b=2", "c=3");
            harness.look("b", 0);
            // In the state, but not applied yet.
            harness.change("a=4", "b=");
            harness.prepareSnapshotPreBarrier(1);
            assertThat(harness.output()).containsExactly("b=2");
            state = harness.snapshot(1, 0);
            harness.change("c=5");
        }
        assertThat(looked(state, 1, 1, 0)).containsExactly("a=4", "b=null", "c=3");
    }

    /** Each subtask has the whole table, before and after. */
    @ParameterizedTest
    @CsvSource({"1, 3", "3, 2", "2, 5"})
    void eachSubtaskGetsTheWholeTableWhateverTheirNumber(int oldTasks, int tasks) throws Exception {
        OperatorSubtaskState[] states = new OperatorSubtaskState[oldTasks];
        for (int task = 0; task < oldTasks; task++) {
            try (ResidentHarness harness = ResidentHarness.open(NEVER_FULL, Script.NONE)) {
                harness.change("a=1", "b=2", "c=3", "b=");
                harness.prepareSnapshotPreBarrier(1);
                states[task] = harness.snapshot(1, 0);
            }
        }
        OperatorSubtaskState state = ResidentHarness.repackageState(states);
        for (int task = 0; task < tasks; task++) {
            assertThat(looked(state, oldTasks, tasks, task))
                    .containsExactly("a=1", "b=null", "c=3");
        }
    }

    @Test
    void theWatermarkOfBothInputsKeepsItsPlace() throws Exception {
        try (ResidentHarness harness = ResidentHarness.open(NEVER_FULL, Script.NONE)) {
            harness.change("a=1");
            harness.look("a", 1);
            harness.operator().processWatermark1(new Watermark(5));
            harness.look("b", 2);
            harness.operator().processWatermark2(new Watermark(3));
            harness.change("a=2");
            harness.look("a", 6);
            // The first input's counts alone from here on.
            harness.operator().processWatermarkStatus2(WatermarkStatus.IDLE);
            harness.look("c", 7);
            harness.operator().processWatermarkStatus1(WatermarkStatus.IDLE);
            assertThat(harness.output()).doesNotContain(WatermarkStatus.IDLE);
            endInput(harness, 1);
            assertThat(harness.output())
                    .containsExactly(
                            "a=1",
                            "b=null",
                            new Watermark(3),
                            "a=2",
                            new Watermark(5),
                            "c=null",
                            WatermarkStatus.IDLE);
        }
    }

    @Test
    void theLastWatermarkOfBothInputsWaitsForNoOtherEnd() throws Exception {
        try (ResidentHarness harness = ResidentHarness.open(NEVER_FULL, Script.NONE)) {
            harness.look("a", 1);
            harness.operator().processWatermark2(Watermark.MAX_WATERMARK);
            assertThat(harness.output()).isEmpty();
            harness.operator().processWatermark1(Watermark.MAX_WATERMARK);
            assertThat(harness.output()).containsExactly("a=null", Watermark.MAX_WATERMARK);
        }
    }

    /** Nothing is emitted of changes, so no mark waits for them. */
    @Test
    void marksDoNotWaitForChanges() throws Exception {
        Semaphore mayApply = new Semaphore(0);
        Script whenAllowed =
                (call, rows) -> {
                    if (call == Call.APPLY) {
                        mayApply.acquireUninterruptibly();
                    }
                };
        try (ResidentHarness harness =
                ResidentHarness.open(NEVER_FULL.withMaxRows(1), whenAllowed)) {
            harness.change("a=1");
            harness.operator().processWatermark1(new Watermark(1));
            harness.operator().processWatermark2(new Watermark(1));
            assertThat(harness.output()).containsExactly(new Watermark(1));
            mayApply.release();
        }
    }

    @Test
    void nothingIsEmittedAfterChangesThatFailed() throws Exception {
        AtomicInteger closed = new AtomicInteger();
        Script failing =
                (call, rows) -> {
                    if (call == Call.APPLY && rows == 2) {
                        throw new BackendException("the table is full");
                    }
                };
        try (ResidentHarness harness =
                ResidentHarness.open(NEVER_FULL, failing.countingClosed(closed))) {
            harness.change("a=1");
            harness.look("a", 0);
            harness.change("a=2", "b=3");
            harness.look("a", 0);
            assertThatThrownBy(() -> endInput(harness, 1))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("the table is full");
            assertThat(harness.output()).containsExactly("a=1");
        }
        assertThat(closed).hasValue(1);
    }

    /** The backend closes, which it does only if no byte is held. */
    @Test
    void nothingIsHeldWhenItClosesAtAnyPoint() throws Exception {
        for (int actions = 0; actions < 12; actions++) {
            AtomicInteger closed = new AtomicInteger();
            try (ResidentHarness harness =
                    ResidentHarness.open(
                            NEVER_FULL.withMaxRows(3), Script.NONE.countingClosed(closed))) {
                for (int i = 0; i < actions; i++) {
                    if (i % 3 == 0) {
                        harness.look("a", i);
                    } else {
                        harness.change("a=" + i);
                    }
                }
            }
            assertThat(closed).as("actions=" + actions).hasValue(1);
        }
    }

    /** The CPU, that other plans fall back to, has no table. */
    @Test
    void aRowThatTheDeviceHasNoMemoryForFails() throws Exception {
        Script noMemory =
                (call, rows) -> {
                    if (call == Call.AWAIT) {
                        throw new DeviceOutOfMemoryException("at all");
                    }
                };
        try (ResidentHarness harness = ResidentHarness.open(NEVER_FULL, noMemory)) {
            harness.change("a=1");
            harness.look("a", 0);
            harness.look("a", 0);
            assertThatThrownBy(() -> endInput(harness, 1))
                    .rootCause()
                    .isInstanceOf(DeviceOutOfMemoryException.class);
            assertThat(harness.output()).isEmpty();
        }
    }

    private static List<Object> looked(
            OperatorSubtaskState state, int oldTasks, int tasks, int task) throws Exception {
        try (ResidentHarness harness = ResidentHarness.restored(state, oldTasks, tasks, task)) {
            for (String key : List.of("a", "b", "c")) {
                harness.look(key, 0);
            }
            endInput(harness, 1);
            return harness.output();
        }
    }

    private static void endInput(ResidentHarness harness, int input) throws Exception {
        ((BoundedMultiInput) harness.operator()).endInput(input);
    }
}
