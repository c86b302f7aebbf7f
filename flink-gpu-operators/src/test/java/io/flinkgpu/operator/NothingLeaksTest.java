package io.flinkgpu.operator;

import io.flinkgpu.api.LineChunk;
import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.DeviceOutOfMemoryException;
import io.flinkgpu.backend.ScriptedBackend.Call;
import io.flinkgpu.backend.ScriptedBackend.Script;
import io.flinkgpu.operator.redact.RedactHarness;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

import static io.flinkgpu.operator.redact.RedactHarness.NEVER_FULL;
import static io.flinkgpu.operator.redact.RedactHarness.ofChunks;
import static io.flinkgpu.operator.redact.RedactHarness.ofStrings;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * Invariant: every exit path returns the Arrow allocators to zero. The fake backend's allocator
 * throws at close if a byte is held, before the call {@code CLOSE} is seen.
 *
 * <p>Covers: BatchEngine.
 */
@Timeout(60)
class NothingLeaksTest {

    private final AtomicInteger closed = new AtomicInteger();

    @Test
    void afterTheEndOfTheInput() throws Exception {
        RedactHarness<String> harness = ofStrings(NEVER_FULL, Script.NONE.countingClosed(closed));
        harness.open();
        harness.processElement("secret", 1);
        harness.endInput();
        harness.close();
        assertThat(closed).hasValue(1);
    }

    @Test
    void afterACloseWithAnOpenBatch() throws Exception {
        RedactHarness<String> harness = ofStrings(NEVER_FULL, Script.NONE.countingClosed(closed));
        harness.open();
        harness.processElement("secret", 1);
        harness.close();
        assertThat(closed).hasValue(1);
        assertThat(harness.output()).isEmpty();
    }

    @Test
    void afterACloseWhileTheDeviceWorks() throws Exception {
        CountDownLatch awaiting = new CountDownLatch(1);
        CountDownLatch answer = new CountDownLatch(1);
        Script slow =
                (call, rows) -> {
                    if (call == Call.AWAIT) {
                        awaiting.countDown();
                        join(answer);
                    }
                };
        RedactHarness<String> harness =
                ofStrings(NEVER_FULL.withMaxRows(1), slow.countingClosed(closed));
        harness.open();
        harness.processElement("secret 1", 1);
        harness.processElement("secret 2", 2);
        harness.processElement("secret 3", 3);
        join(awaiting);
        Thread device = new Thread(() -> answerSoon(answer));
        device.start();
        harness.close();
        device.join();
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
        RedactHarness<String> harness =
                ofStrings(NEVER_FULL.withMaxRows(1), counted.countingClosed(closed));
        harness.open();
        harness.processElement("secret 1", 1);
        harness.processElement("secret 2", 2);
        harness.processElement("secret 3", 3);
        join(done);
        harness.close();
        assertThat(closed).hasValue(1);
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
        RedactHarness<String> harness =
                ofStrings(NEVER_FULL.withMaxRows(2), script.countingClosed(closed));
        Throwable thrown = catchThrowable(() -> run(harness));
        Throwable atClose = catchThrowable(harness::close);
        assertThat(thrown == null ? atClose : thrown).isNotNull();
        assertThat(closed).hasValue(1);
    }

    @Test
    void afterBatchesRanInPartsOnTwoBackends() throws Exception {
        Script noMemory =
                (call, rows) -> {
                    if (call == Call.SUBMIT && rows > 1) {
                        throw new DeviceOutOfMemoryException("rows=" + rows);
                    }
                };
        RedactHarness<LineChunk> harness =
                ofChunks(
                        NEVER_FULL,
                        noMemory.countingClosed(closed),
                        Script.NONE.countingClosed(closed));
        harness.open();
        byte[] lines = "secret\n\nx\nsecret\ny\nz\nsecret".getBytes(StandardCharsets.UTF_8);
        harness.processElement(new LineChunk("f", 0, lines), 0);
        harness.endInput();
        harness.close();
        byte[] redacted = "[X]\n\nx\n[X]\ny\nz\n[X]".getBytes(StandardCharsets.UTF_8);
        assertThat(harness.output()).containsExactly(new LineChunk("f", 0, redacted));
        assertThat(closed).hasValue(2);
    }

    private static void run(RedactHarness<String> harness) throws Exception {
        harness.open();
        for (int i = 0; i < 9; i++) {
            harness.processElement("secret " + i, i);
        }
        harness.endInput();
    }

    private static void answerSoon(CountDownLatch answer) {
        try {
            Thread.sleep(50);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        answer.countDown();
    }

    private static void join(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
