package io.flinkgpu.operator.lines;

import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.DeviceOutOfMemoryException;
import io.flinkgpu.backend.ScriptedBackend.Call;
import io.flinkgpu.backend.ScriptedBackend.Script;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

import static io.flinkgpu.operator.lines.LineHarness.GLOBAL;
import static io.flinkgpu.operator.lines.LineHarness.TUMBLING;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * Invariant: every exit path of an aggregation of lines returns the Arrow allocators to zero, and nothing
 * is lost or sent twice. The backend's allocator throws at close if a byte is held, before the call
 * {@code CLOSE} is seen.
 *
 * <p>Covers: LineAggregator.
 */
@Timeout(60)
class LineNothingLeaksTest {

    private final AtomicInteger closed = new AtomicInteger();

    @Test
    void afterTheEndOfTheInput() throws Exception {
        LineHarness harness =
                LineHarness.of(TUMBLING).script(Script.NONE.countingClosed(closed)).open();
        harness.process("a;1;1");
        harness.endInput();
        harness.close();
        assertThat(closed).hasValue(1);
    }

    @Test
    void afterACloseWithAnOpenBatchAndHeldGroups() throws Exception {
        LineHarness harness =
                LineHarness.of(GLOBAL).maxRows(2).script(Script.NONE.countingClosed(closed)).open();
        harness.process("a;1;1");
        harness.process("a;1;1");
        harness.runNextMail();
        harness.process("b;1;1");
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
        LineHarness harness =
                LineHarness.of(TUMBLING).maxRows(1).script(counted.countingClosed(closed)).open();
        for (int i = 0; i < 3; i++) {
            harness.process("a;1;1");
        }
        done.await();
        harness.close();
        assertThat(closed).hasValue(1);
    }

    @Test
    void afterACloseBeforeAnOpen() throws Exception {
        LineHarness.of(TUMBLING).script(Script.NONE.countingClosed(closed)).build().close();
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
        LineHarness harness =
                LineHarness.of(TUMBLING).maxRows(2).script(script.countingClosed(closed)).build();
        Throwable thrown =
                catchThrowable(
                        () -> {
                            harness.open();
                            for (int i = 0; i < 9; i++) {
                                harness.process("a;1;1");
                            }
                            harness.endInput();
                        });
        Throwable atClose = catchThrowable(harness::close);
        assertThat(thrown == null ? atClose : thrown).hasStackTraceContaining("device lost");
        assertThat(closed).hasValue(1);
    }

    @Test
    void afterAMalformedLine() throws Exception {
        LineHarness harness =
                LineHarness.of(TUMBLING)
                        .maxRows(1)
                        .script(Script.NONE.countingClosed(closed))
                        .open();
        harness.process("a;1;1", "?");
        harness.process("a;1;1");
        assertThatThrownBy(harness::endInput)
                .hasStackTraceContaining("line=(hidden: text of length 1)");
        harness.close();
        assertThat(closed).hasValue(1);
    }

    @Test
    void aBatchTheDeviceHasNoMemoryForRunsInPartsOnTwoBackends() throws Exception {
        Script noMemory =
                (call, rows) -> {
                    if (call == Call.SUBMIT && rows > 2) {
                        throw new DeviceOutOfMemoryException("rows=" + rows);
                    }
                };
        LineHarness harness =
                LineHarness.of(TUMBLING)
                        .reading(reading -> reading.withMalformed(LineHarness.MALFORMED))
                        .script(noMemory.countingClosed(closed))
                        .fallback(Script.NONE.countingClosed(closed))
                        .open();
        List<Long> bad = new ArrayList<>();
        long offset = 0;
        for (int i = 0; i < 19; i++) {
            String line = "key " + i % 3 + ";" + (100 + i) + ";1";
            harness.process(line, "bad");
            bad.add(offset + line.length() + 1);
            offset += line.length() + 5;
        }
        harness.endInput();
        assertThat(harness.output())
                .containsExactlyInAnyOrder(
                        "watermark 112",
                        "key 0@100 4/1/1/4",
                        "key 1@100 3/1/1/3",
                        "key 2@100 3/1/1/3",
                        "key 0@110 3/1/1/3",
                        "key 1@110 3/1/1/3",
                        "key 2@110 3/1/1/3");
        assertThat(harness.malformed())
                .extracting(line -> line.offsetBytes())
                .containsExactlyElementsOf(bad);
        assertThat(harness.metrics().counter("gpu.splitBatches")).isEqualTo(1);
        assertThat(harness.metrics().counter("gpu.cpuFallbackBatches")).isPositive();
        harness.close();
        assertThat(closed).hasValue(2);
    }

    @Test
    void linesThatDoNotFitIntoMemoryFailWithARemedy() throws Exception {
        LineHarness harness =
                LineHarness.of(GLOBAL)
                        .memoryLimitBytes(16 << 20)
                        .script(Script.NONE.countingClosed(closed))
                        .open();
        harness.process("a;1;1");
        assertThatThrownBy(() -> harness.process("b;1;" + "0".repeat(17 << 20)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageStartingWith(
                        "no memory for a batch with these lines: file=f, offsetBytes=6,")
                .hasMessageEndingWith(
                        "; raise memoryLimitBytes, or read files in smaller chunks or ranges");
        harness.close();
        assertThat(closed).hasValue(1);
    }
}
