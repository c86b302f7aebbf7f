package io.flinkgpu.operator.lines;

import io.flinkgpu.api.BatchPolicy;
import io.flinkgpu.api.GpuOptions;
import io.flinkgpu.api.LineChunk;
import io.flinkgpu.api.LineRange;
import io.flinkgpu.backend.Backend;
import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.DeviceOutOfMemoryException;
import io.flinkgpu.backend.ForwardingBackend;
import io.flinkgpu.backend.ForwardingProgram;
import io.flinkgpu.backend.ScriptedBackend.Call;
import io.flinkgpu.backend.ScriptedBackend.Script;
import io.flinkgpu.backend.cpu.CpuBackend;
import io.flinkgpu.backend.plan.RedactPlan;

import org.apache.flink.metrics.Histogram;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * Redaction of batches whose lines the backend finds. The backend throws if it leaks.
 *
 * <p>Covers: ColumnBatch.
 */
@Timeout(60)
class UnsplitLinesTest {

    private static final BatchPolicy TEN_BYTES =
            new BatchPolicy(1 << 16, 10, Duration.ofMinutes(10));
    private static final GpuOptions OPTIONS = GpuOptions.DEFAULT.withBatchPolicy(TEN_BYTES);
    private static final Script TWO_ROWS =
            (call, rows) -> {
                if (call == Call.SUBMIT && rows > 2) {
                    throw new DeviceOutOfMemoryException("rows=" + rows);
                }
            };

    @TempDir private Path directory;

    private final AtomicInteger closed = new AtomicInteger();

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void countsTheLinesNotTheRow(boolean inParts) throws Exception {
        Script script = inParts ? TWO_ROWS : Script.NONE;
        try (LineRedactHarness harness = LineRedactHarness.findingLines(OPTIONS, script)) {
            harness.open();
            harness.process(chunk(0, "1\n2\n3\n41\n\n6\n7"));
            harness.process(chunk(20, "a\n"));
            harness.process(chunk(22, "b\n"));
            // There is room for it behind those.
            harness.process(chunk(24, "c\nd\ne\n"));
            harness.endInput();
            assertThat(harness.metrics().accumulator("redaction.rows")).isEqualTo(12);
            assertThat(harness.metrics().accumulator("redaction.bytes")).isEqualTo(24);
            assertThat(harness.metrics().accumulator("redaction.batches")).isEqualTo(2);
            assertThat(harness.metrics().accumulator("redaction.matches.ones")).isEqualTo(2);
            Histogram rows = (Histogram) harness.metrics().metric("gpu.batchRows");
            assertThat(rows.getStatistics().getValues()).containsExactly(7, 5);
            assertThat(harness.metrics().counter("gpu.bytesIn")).isEqualTo(24);
            assertThat(harness.metrics().counter("gpu.splitBatches")).isEqualTo(inParts ? 2 : 0);
        }
    }

    /** Of the last line the column has an end, the chunk not. */
    @ParameterizedTest
    @CsvSource({"false, ''", "false, '\n'", "true, ''", "true, '\n'"})
    void theLinesOfAllPartsAreOneChunk(boolean lends, String end) throws Exception {
        try (LineRedactHarness harness = new LineRedactHarness(lends, true, TEN_BYTES, TWO_ROWS)) {
            harness.open();
            harness.process(chunk(5, "a1\nb2\n\nc\nd\ne11\nf" + end));
            harness.process(chunk(30, "x\n"));
            harness.process(chunk(32, "1\n2\n3\n4\n5\n6\n7\n8\n9" + end));
            harness.endInput();
            assertThat(harness.extractOutputValues())
                    .containsExactly(
                            chunk(5, "a[ones]\nb2\n\nc\nd\ne[ones]\nf" + end),
                            chunk(30, "x\n"),
                            chunk(32, "[ones]\n2\n3\n4\n5\n6\n7\n8\n9" + end));
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Call.class,
            names = {"COMPILE", "SUBMIT", "AWAIT", "CLOSE_PROGRAM"})
    void nothingIsHeldAfterAFailure(Call failing) throws Exception {
        Script script =
                (call, rows) -> {
                    if (call == failing) {
                        throw new BackendException("device lost");
                    }
                };
        LineRedactHarness harness =
                LineRedactHarness.findingLines(OPTIONS, script.countingClosed(closed));
        Throwable thrown =
                catchThrowable(
                        () -> {
                            harness.open();
                            for (int i = 0; i < 5; i++) {
                                harness.process(chunk(i, "1\n2\n3\n4\n5\n6\n"));
                            }
                            harness.endInput();
                        });
        Throwable atClose = catchThrowable(() -> harness.getOperator().close());
        assertThat(thrown == null ? atClose : thrown).hasStackTraceContaining("device lost");
        assertThat(closed).hasValue(1);
        if (thrown != null) {
            assertThat(harness.getOutput()).isEmpty();
        }
    }

    /** It says that it finds lines, and takes them for a row of text. */
    @Test
    void nothingIsEmittedOfLinesThatWereRedactedAsOneRow() throws Exception {
        LineRedactHarness harness =
                LineRedactHarness.on(
                        request -> new SaysItFindsLines(CpuBackend.open(request)), OPTIONS);
        harness.open();
        harness.process(chunk(0, "1\n2\n3\n4\n5\n6\n7\n8\n"));
        assertThatThrownBy(harness::endInput)
                .hasStackTraceContaining(
                        "a backend redacts lines as lines, and rows as rows: got lines=true, gave"
                                + " lines=false; this is a defect of the backend");
        harness.getOperator().close();
        assertThat(harness.getOutput()).isEmpty();
    }

    /** The last of several parts fails: what was kept of those before is not emitted either. */
    @Test
    void nothingIsEmittedOfABatchThatFailedHalfWay() throws Exception {
        AtomicInteger parts = new AtomicInteger();
        Script script =
                (call, rows) -> {
                    TWO_ROWS.on(call, rows);
                    if (call == Call.AWAIT && parts.incrementAndGet() == 3) {
                        throw new BackendException("device lost");
                    }
                };
        LineRedactHarness harness =
                LineRedactHarness.findingLines(OPTIONS, script.countingClosed(closed));
        harness.open();
        harness.process(chunk(0, "1\n2\n3\n4\n5\n6\n7\n8\n"));
        assertThatThrownBy(harness::endInput).hasStackTraceContaining("device lost");
        harness.getOperator().close();
        assertThat(harness.getOutput()).isEmpty();
        assertThat(closed).hasValue(1);
    }

    @Test
    void nothingIsHeldAfterACloseWithResultsNobodyTook() throws Exception {
        CountDownLatch done = new CountDownLatch(3);
        Script script =
                (call, rows) -> {
                    if (call == Call.AWAIT) {
                        done.countDown();
                    }
                };
        LineRedactHarness harness =
                LineRedactHarness.findingLines(OPTIONS, script.countingClosed(closed));
        harness.open();
        for (int i = 0; i < 3; i++) {
            harness.process(chunk(i, "1\n2\n3\n4\n5\n6\n"));
        }
        done.await();
        harness.getOperator().close();
        assertThat(harness.getOutput()).isEmpty();
        assertThat(closed).hasValue(1);
    }

    /** Two million lines of no bytes: 2 MiB of text, and 16 MiB to say where they end. */
    @Test
    void linesWhoseEndsDoNotFitIntoMemoryFailWithARemedy() throws Exception {
        GpuOptions options = OPTIONS.withMemoryLimitBytes(16 << 20);
        LineRedactHarness harness =
                LineRedactHarness.findingLines(options, Script.NONE.countingClosed(closed));
        harness.open();
        harness.process(chunk(0, "1\n2\n3\n4\n5\n6\n"));
        assertThatThrownBy(() -> harness.process(chunk(12, "\n".repeat(2 << 20))))
                .cause()
                .isInstanceOf(BackendException.class)
                .hasMessageStartingWith(
                        "no memory for where the lines of a batch end: memoryLimitBytes=16777216,")
                .hasMessageEndingWith(
                        "; raise memoryLimitBytes, or read files in smaller chunks or ranges");
        harness.getOperator().close();
        assertThat(harness.extractOutputValues()).hasSize(1);
        assertThat(closed).hasValue(1);
    }

    @Test
    void aRangeThatWasCutLeavesTheBatchBeforeItWhole() throws Exception {
        Path file = Files.writeString(directory.resolve("f"), "1\n2\n3\n4\n5\n6\n");
        LineRedactHarness harness =
                LineRedactHarness.findingLines(OPTIONS, Script.NONE.countingClosed(closed));
        harness.open();
        harness.process(new LineRange(file.toString(), 0, 12, 12));
        assertThatThrownBy(() -> harness.process(new LineRange(file.toString(), 2, 16, 18)))
                .hasMessageContaining("an input file is shorter than when it was listed");
        harness.endInput();
        harness.getOperator().close();
        assertThat(harness.extractOutputValues()).hasSize(1);
        assertThat(closed).hasValue(1);
    }

    private static LineChunk chunk(int offset, String lines) {
        return new LineChunk("f", offset, lines.getBytes(StandardCharsets.UTF_8));
    }

    private static final class SaysItFindsLines extends ForwardingBackend {

        SaysItFindsLines(Backend backend) {
            super(backend);
            replace(
                    RedactPlan.class,
                    plan ->
                            new ForwardingProgram<>(forward(plan)) {
                                @Override
                                public boolean findsLines() {
                                    return true;
                                }
                            });
        }
    }
}
