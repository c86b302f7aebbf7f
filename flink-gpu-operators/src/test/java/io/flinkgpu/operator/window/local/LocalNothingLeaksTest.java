package io.flinkgpu.operator.window.local;

import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.DeviceOutOfMemoryException;
import io.flinkgpu.backend.ScriptedBackend.Call;
import io.flinkgpu.backend.ScriptedBackend.Script;
import io.flinkgpu.operator.window.SentGroup;
import io.flinkgpu.operator.window.WindowShape;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * Invariant: every exit path of a local aggregation returns the Arrow allocators to zero. The backend's
 * allocator throws at close if a byte is held, before the call {@code CLOSE} is seen.
 *
 * <p>Covers: LocalAggregator.
 */
@Timeout(60)
class LocalNothingLeaksTest {

    private static final WindowShape TUMBLING = WindowShape.tumbling(true, 10, 0);

    private final AtomicInteger closed = new AtomicInteger();

    @Test
    void afterTheEndOfTheInput() throws Exception {
        LocalHarness<String> harness =
                LocalHarness.of(TUMBLING).script(Script.NONE.countingClosed(closed)).open();
        harness.process("a", 1, 1.0, 1);
        harness.endInput();
        harness.close();
        assertThat(closed).hasValue(1);
    }

    @Test
    void afterACloseWithAnOpenBatch() throws Exception {
        LocalHarness<String> harness =
                LocalHarness.of(TUMBLING).script(Script.NONE.countingClosed(closed)).open();
        harness.process("a", 1, 1.0, 1);
        harness.close();
        assertThat(closed).hasValue(1);
        assertThat(harness.output()).isEmpty();
    }

    @Test
    void afterACloseWithResultsNobodyTook() throws Exception {
        CountDownLatch done = new CountDownLatch(3);
        Script counted =
                (call, rows) -> {
                    if (call == Call.AWAIT) {
                        done.countDown();
                    }
                };
        LocalHarness<String> harness =
                LocalHarness.of(TUMBLING).maxRows(1).script(counted.countingClosed(closed)).open();
        for (int i = 0; i < 3; i++) {
            harness.process("a", 1, 1.0, 1);
        }
        done.await();
        harness.close();
        assertThat(closed).hasValue(1);
    }

    @Test
    void afterACloseBeforeAnOpen() throws Exception {
        LocalHarness.of(TUMBLING).script(Script.NONE.countingClosed(closed)).build().close();
        assertThat(closed).hasValue(0);
    }

    @ParameterizedTest
    @EnumSource(
            value = Call.class,
            names = {"COMPILE", "SUBMIT", "AWAIT", "CLOSE_PROGRAM"})
    void afterAFailure(Call failing) throws Exception {
        Script script =
                (call, rows) -> {
                    if (call == failing) {
                        throw new BackendException("device lost");
                    }
                };
        LocalHarness<String> harness =
                LocalHarness.of(TUMBLING).maxRows(2).script(script.countingClosed(closed)).build();
        Throwable thrown = catchThrowable(() -> run(harness));
        Throwable atClose = catchThrowable(harness::close);
        assertThat(thrown == null ? atClose : thrown).hasStackTraceContaining("device lost");
        assertThat(closed).hasValue(1);
    }

    @Test
    void aFailedBatchAndAllBehindItAreNeverEmitted() throws Exception {
        AtomicInteger batches = new AtomicInteger();
        Script second =
                (call, rows) -> {
                    if (call == Call.AWAIT && batches.incrementAndGet() == 2) {
                        throw new BackendException("device lost");
                    }
                };
        // Groups of sessions do not wait for others.
        WindowShape sessions = WindowShape.session(10);
        LocalHarness<String> harness = LocalHarness.of(sessions).maxRows(2).script(second).open();
        assertThatThrownBy(
                        () -> {
                            for (int i = 0; i < 9; i++) {
                                harness.process("key " + i, 1, 1.0, 1);
                            }
                            harness.processWatermark(9);
                        })
                .hasStackTraceContaining("device lost");
        assertThat(harness.output())
                .allSatisfy(input -> assertThat(input).isInstanceOf(SentGroup.class));
        assertThat(harness.partials()).extracting(SentGroup::key).containsExactly("key 0", "key 1");
        harness.close();
    }

    @Test
    void aBatchTheDeviceHasNoMemoryForRunsInPartsOnTwoBackends() throws Exception {
        Script noMemory =
                (call, rows) -> {
                    if (call == Call.SUBMIT && rows > 2) {
                        throw new DeviceOutOfMemoryException("rows=" + rows);
                    }
                };
        LocalHarness<String> harness =
                LocalHarness.of(TUMBLING)
                        .script(noMemory.countingClosed(closed))
                        .fallback(Script.NONE.countingClosed(closed))
                        .open();
        for (int i = 0; i < 19; i++) {
            harness.process("key " + i % 3, i, i % 4 == 0 ? null : 1.0 * i, 3);
        }
        harness.endInput();
        long sum = 0;
        for (SentGroup<String> partial : harness.partials()) {
            sum += (long) LocalHarness.results(partial)[0];
        }
        assertThat(sum).isEqualTo(171);
        assertThat(harness.metrics().counter("gpu.splitBatches")).isEqualTo(1);
        assertThat(harness.metrics().counter("gpu.cpuFallbackBatches")).isPositive();
        harness.close();
        assertThat(closed).hasValue(2);
    }

    @Test
    void aBatchThatDoesNotFitIntoMemoryFailsWithARemedy() throws Exception {
        LocalHarness<String> harness =
                LocalHarness.of(TUMBLING)
                        .maxRows(1 << 24)
                        .maxBytes(1 << 28)
                        .memoryLimitBytes(16 << 20)
                        .script(Script.NONE.countingClosed(closed))
                        .open();
        assertThatThrownBy(() -> harness.process("a", 1, 1.0, 1))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageStartingWith("no memory for a batch: ")
                .hasMessageEndingWith("; raise memoryLimitBytes or lower the batch policy");
        harness.close();
        assertThat(closed).hasValue(1);
    }

    @Test
    void afterACloseWithGroupsThatWait() throws Exception {
        LocalHarness<String> harness = LocalHarness.of(TUMBLING).rowByRow().open();
        harness.process("a", 1, 1.0, 1);
        harness.process("a key of more than eight bytes", 1, 1.0, 12);
        harness.close();
        assertThat(harness.output()).isEmpty();
    }

    private static void run(LocalHarness<String> harness) throws Exception {
        harness.open();
        for (int i = 0; i < 9; i++) {
            harness.process("a", i, 1.0, i);
        }
        harness.endInput();
    }
}
