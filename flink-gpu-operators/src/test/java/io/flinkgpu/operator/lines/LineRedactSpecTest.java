package io.flinkgpu.operator.lines;

import io.flinkgpu.api.BatchPolicy;
import io.flinkgpu.api.LineChunk;
import io.flinkgpu.api.LineChunkSerializer;
import io.flinkgpu.api.LineRange;
import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.DeviceOutOfMemoryException;
import io.flinkgpu.backend.ScriptedBackend.Call;
import io.flinkgpu.backend.ScriptedBackend.Script;
import io.flinkgpu.operator.FlushReason;
import io.flinkgpu.source.RandomLines;

import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;

import static io.flinkgpu.operator.lines.LineRedactHarness.NEVER_FULL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Lines of ranges and chunks leave redacted, each once and in order. The backend throws if it leaks. */
@Timeout(120)
class LineRedactSpecTest {

    @TempDir private Path directory;

    private final AtomicInteger closed = new AtomicInteger();

    @ParameterizedTest
    @CsvSource({"false, false", "true, false", "false, true", "true, true"})
    void everyLineOnceHoweverFilesAndBatchesAreCut(boolean lends, boolean findsLines)
            throws Exception {
        for (long seed = 1; seed <= 120; seed++) {
            Random random = new Random(seed);
            byte[] file = RandomLines.file(random);
            String path = write("f" + seed, file);
            BatchPolicy policy =
                    NEVER_FULL
                            .withMaxRows(1 + random.nextInt(50))
                            .withMaxBytes(1 + random.nextInt(2_000));
            int rangeBytes = 1 + random.nextInt(2 * file.length + 1);
            // Some batches are halved, and halved again.
            int mostRows = random.nextInt(3) == 0 ? 1 + random.nextInt(10) : Integer.MAX_VALUE;
            Script script =
                    (call, rows) -> {
                        if (call == Call.SUBMIT && rows > mostRows) {
                            throw new DeviceOutOfMemoryException("too many rows");
                        }
                    };
            boolean terminates = random.nextBoolean();
            boolean isTerminated = file.length == 0 || file[file.length - 1] == '\n';
            String end = terminates && !isTerminated ? "\n" : "";
            try (LineRedactHarness harness =
                    new LineRedactHarness(
                            lends, findsLines, policy, script.countingClosed(closed))) {
                harness.open();
                for (LineRange range : ranges(path, file.length, rangeBytes, terminates)) {
                    harness.processElement(new StreamRecord<>(range, 7));
                }
                harness.endInput();
                assertThat(text(harness.chunks(path)))
                        .as("seed=%d, rangeBytes=%d, %s", seed, rangeBytes, policy)
                        .isEqualTo(redacted(file) + end);
                harness.assertOffsets(file);
            }
            assertThat(closed).as("seed=%d", seed).hasValue((int) seed);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void chunksToo(boolean lends) throws Exception {
        try (LineRedactHarness harness = new LineRedactHarness(lends, NEVER_FULL, Script.NONE)) {
            harness.open();
            harness.process(new LineChunk("a", 10, bytes("x1\ny\n")));
            harness.process(new LineChunk("b", 20, bytes("")));
            harness.process(new LineChunk("b", 20, bytes("\nz11")));
            harness.endInput();
            assertThat(harness.extractOutputValues())
                    .containsExactly(
                            new LineChunk("a", 10, bytes("x[ones]\ny\n")),
                            new LineChunk("b", 20, bytes("\nz[ones]")));
        }
    }

    /** The harness keeps a chunk as it is, which no sink of files does. */
    @Test
    void whoReadsLentLinesLateIsToldSo() throws Exception {
        try (LineRedactHarness harness =
                new LineRedactHarness(
                        true, false, LineChunkSerializer.INSTANCE, NEVER_FULL, Script.NONE)) {
            harness.open();
            harness.process(new LineChunk("a", 10, bytes("x1\ny\n")));
            harness.endInput();
            LineChunk chunk = harness.extractOutputValues().get(0);
            assertThatThrownBy(chunk::bytes)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("chunk=LineChunk[a@10, 10 bytes]");
        }
    }

    @Test
    void linesThatAreNoneMakeABatchWaitNoLonger() throws Exception {
        BatchPolicy policy = NEVER_FULL.withMaxDelay(Duration.ofMillis(50));
        try (LineRedactHarness harness = new LineRedactHarness(false, policy, Script.NONE)) {
            harness.open();
            harness.setProcessingTime(100);
            harness.process(new LineChunk("a", 0, bytes("1\n")));
            harness.setProcessingTime(140);
            harness.process(new LineChunk("a", 2, bytes("")));
            harness.setProcessingTime(150);
            assertThat(harness.metrics().flushes(FlushReason.DELAY)).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void marksWaitForTheLinesBeforeThem(boolean lends) throws Exception {
        try (LineRedactHarness harness = new LineRedactHarness(lends, NEVER_FULL, Script.NONE)) {
            harness.open();
            harness.process(new LineChunk("a", 0, bytes("1\n")));
            harness.processWatermark(new Watermark(5));
            harness.process(new LineChunk("a", 2, bytes("2\n")));
            assertThat(harness.getOutput()).hasSize(2);
            assertThat(harness.getOutput().toArray()[1]).isEqualTo(new Watermark(5));
            harness.prepareSnapshotPreBarrier(1);
            assertThat(harness.extractOutputValues())
                    .extracting(chunk -> new String(chunk.bytes(), StandardCharsets.UTF_8))
                    .containsExactly("[ones]\n", "2\n");
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void nothingIsEmittedOfABatchThatFailed(boolean lends) throws Exception {
        Script script =
                (call, rows) -> {
                    if (call == Call.AWAIT) {
                        throw new BackendException("device lost");
                    }
                };
        LineRedactHarness harness =
                new LineRedactHarness(lends, NEVER_FULL, script.countingClosed(closed));
        harness.open();
        harness.process(new LineChunk("a", 0, bytes("1\n")));
        assertThatThrownBy(() -> harness.prepareSnapshotPreBarrier(1))
                .hasStackTraceContaining("device lost");
        harness.getOperator().close();
        assertThat(harness.getOutput()).isEmpty();
        assertThat(closed).hasValue(1);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aFileThatIsGoneFailsAndLeaksNothing(boolean lends) throws Exception {
        LineRedactHarness harness =
                new LineRedactHarness(lends, NEVER_FULL, Script.NONE.countingClosed(closed));
        harness.open();
        harness.process(new LineChunk("a", 0, bytes("1\n")));
        String gone = directory.resolve("gone").toString();
        assertThatThrownBy(() -> harness.process(new LineRange(gone, 0, 5, 5)))
                .hasMessageContaining("an input file is gone since it was listed");
        harness.getOperator().close();
        assertThat(harness.getOutput()).isEmpty();
        assertThat(closed).hasValue(1);
    }

    private String write(String name, byte[] file) throws IOException {
        return Files.write(directory.resolve(name), file).toString();
    }

    private static List<LineRange> ranges(
            String path, int fileBytes, int rangeBytes, boolean terminates) {
        List<LineRange> ranges = new ArrayList<>();
        for (int offset = 0; offset < fileBytes; offset += rangeBytes) {
            int length = Math.min(rangeBytes, fileBytes - offset);
            ranges.add(new LineRange(path, offset, length, fileBytes, terminates));
        }
        return ranges;
    }

    private static String redacted(byte[] file) {
        return new String(file, StandardCharsets.UTF_8).replaceAll("1+", "[ones]");
    }

    private static String text(List<LineChunk> chunks) {
        StringBuilder text = new StringBuilder();
        chunks.forEach(chunk -> text.append(new String(chunk.bytes(), StandardCharsets.UTF_8)));
        return text.toString();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
