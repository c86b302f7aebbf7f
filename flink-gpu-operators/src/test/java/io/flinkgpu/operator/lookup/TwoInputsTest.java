package io.flinkgpu.operator.lookup;

import io.flinkgpu.api.lookup.Bag;
import io.flinkgpu.api.lookup.Combiner;
import io.flinkgpu.api.lookup.ElementType;
import io.flinkgpu.api.lookup.EmbeddingTable;
import io.flinkgpu.api.lookup.LookupRequest;
import io.flinkgpu.api.lookup.LookupResult;
import io.flinkgpu.api.lookup.VectorChange;
import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.DeviceOutOfMemoryException;
import io.flinkgpu.backend.ScriptedBackend.Call;
import io.flinkgpu.backend.ScriptedBackend.Script;
import io.flinkgpu.operator.Harnesses;

import org.apache.flink.streaming.api.operators.BoundedMultiInput;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.runtime.watermarkstatus.WatermarkStatus;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;

import static io.flinkgpu.operator.lookup.LookupHarness.NEVER_FULL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Records, and changes of what they are looked up in: marks of both inputs, ends, failures, threads.
 *
 * <p>Covers: TwoInputBatchOperator.
 */
@Timeout(60)
class TwoInputsTest {

    private static final List<EmbeddingTable> ONE =
            List.of(EmbeddingTable.of("t", 1, ElementType.F32));

    private static LookupHarness open(Script script) throws Exception {
        LookupHarness harness = LookupHarness.scripted(ONE, NEVER_FULL, script);
        harness.open();
        return harness;
    }

    private static void put(LookupHarness harness, float value) throws Exception {
        harness.change(VectorChange.upsert("t", 1, value), null);
    }

    private static void look(LookupHarness harness, int number) throws Exception {
        harness.ask(number, LookupRequest.of(Bag.of("t", Combiner.NONE, 1)), null);
    }

    private static void endInput(LookupHarness harness, int input) throws Exception {
        ((BoundedMultiInput) harness.operator()).endInput(input);
    }

    /** Numbers of requests, and marks. */
    private static List<Object> output(LookupHarness harness) {
        return Harnesses.output(harness).stream()
                .map(element -> element instanceof LookupResult<?> r ? r.record() : element)
                .toList();
    }

    @Test
    void theEndOfTheChangesIsNotThatOfTheRecords() throws Exception {
        try (LookupHarness harness = open(Script.NONE)) {
            put(harness, 1);
            endInput(harness, 2);
            look(harness, 7);
            assertThat(output(harness)).isEmpty();
            endInput(harness, 1);
            assertThat(output(harness)).containsExactly(7);
        }
    }

    @Test
    void theWatermarkOfBothInputsKeepsItsPlace() throws Exception {
        try (LookupHarness harness = open(Script.NONE)) {
            look(harness, 1);
            harness.operator().processWatermark1(new Watermark(5));
            look(harness, 2);
            harness.operator().processWatermark2(new Watermark(3));
            put(harness, 1);
            look(harness, 3);
            // The first input's counts alone from here on.
            harness.operator().processWatermarkStatus2(WatermarkStatus.IDLE);
            look(harness, 4);
            harness.operator().processWatermarkStatus1(WatermarkStatus.IDLE);
            assertThat(output(harness)).doesNotContain(WatermarkStatus.IDLE);
            endInput(harness, 1);
            assertThat(output(harness))
                    .containsExactly(
                            1, 2, new Watermark(3), 3, new Watermark(5), 4, WatermarkStatus.IDLE);
        }
    }

    @Test
    void theLastWatermarkOfBothInputsWaitsForNoOtherEnd() throws Exception {
        try (LookupHarness harness = open(Script.NONE)) {
            look(harness, 1);
            harness.operator().processWatermark2(Watermark.MAX_WATERMARK);
            assertThat(output(harness)).isEmpty();
            harness.operator().processWatermark1(Watermark.MAX_WATERMARK);
            assertThat(output(harness)).containsExactly(1, Watermark.MAX_WATERMARK);
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
        try (LookupHarness harness =
                LookupHarness.scripted(ONE, NEVER_FULL.withMaxRows(1), whenAllowed)) {
            harness.open();
            put(harness, 1);
            harness.mark(1);
            assertThat(output(harness)).containsExactly(new Watermark(1));
            mayApply.release();
        }
    }

    @Test
    void nothingIsEmittedAfterChangesThatFailed() throws Exception {
        AtomicInteger applied = new AtomicInteger();
        AtomicInteger closed = new AtomicInteger();
        Script failing =
                (call, rows) -> {
                    if (call == Call.APPLY && applied.incrementAndGet() == 2) {
                        throw new BackendException("the table is full");
                    }
                };
        try (LookupHarness harness = open(failing.countingClosed(closed))) {
            put(harness, 1);
            look(harness, 1);
            harness.checkpoint(1);
            put(harness, 2);
            look(harness, 2);
            assertThatThrownBy(() -> endInput(harness, 1))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("the table is full");
            assertThat(output(harness)).containsExactly(1);
        }
        assertThat(closed).hasValue(1);
    }

    /** No other backend has the tables. */
    @Test
    void aRowThatTheDeviceHasNoMemoryForFails() throws Exception {
        Script noMemory =
                (call, rows) -> {
                    if (call == Call.AWAIT) {
                        throw new DeviceOutOfMemoryException("at all");
                    }
                };
        try (LookupHarness harness = open(noMemory)) {
            look(harness, 1);
            look(harness, 2);
            assertThatThrownBy(() -> endInput(harness, 1))
                    .rootCause()
                    .isInstanceOf(DeviceOutOfMemoryException.class);
            assertThat(output(harness)).isEmpty();
        }
    }

    @Test
    void oneThreadMakesEveryCallAndItIsNotTheTasks() throws Exception {
        Set<Thread> threads = ConcurrentHashMap.newKeySet();
        Set<Call> calls = ConcurrentHashMap.newKeySet();
        Script script =
                (call, rows) -> {
                    calls.add(call);
                    threads.add(Thread.currentThread());
                };
        try (LookupHarness harness = open(script)) {
            put(harness, 1);
            look(harness, 1);
            harness.checkpoint(1);
        }
        assertThat(calls).containsExactlyInAnyOrder(Call.values());
        assertThat(threads).hasSize(1).doesNotContain(Thread.currentThread());
    }
}
