package io.flinkgpu.operator.lines;

import io.flinkgpu.api.BatchPolicy;
import io.flinkgpu.api.FilePolicy;
import io.flinkgpu.api.LineChunk;
import io.flinkgpu.api.LineChunkSerializer;
import io.flinkgpu.api.LineRange;
import io.flinkgpu.api.LongLine;
import io.flinkgpu.api.TooLongLine;
import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.DeviceOutOfMemoryException;
import io.flinkgpu.backend.ScriptedBackend.Call;
import io.flinkgpu.backend.ScriptedBackend.Script;
import io.flinkgpu.operator.FlushReason;
import io.flinkgpu.source.PlainFile;
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

/**
 * Lines of ranges and chunks leave redacted, each once and in order. The backend throws if it leaks.
 *
 * <p>Covers: LineRedactSpec.
 */
@Timeout(120)
class LineRedactSpecTest {

    private static final long SEED = Long.getLong("seed", 20_261_124);

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

    /** Batches so small that ranges are searched again once there is room for them. */
    @ParameterizedTest
    @CsvSource({"LABEL, false", "SKIP, false", "LABEL, true", "SKIP, true"})
    void ofLinesThatAreTooLongThePlaceOnceEach(LongLine longer, boolean findsLines)
            throws Exception {
        int places = 0;
        for (long seed = SEED; seed < SEED + 120; seed++) {
            Random random = new Random(seed);
            byte[] file = RandomLines.file(random);
            String path = write("f" + seed, file);
            int limit = 1 + random.nextInt(random.nextBoolean() ? 12 : 200);
            FilePolicy filePolicy = FilePolicy.DEFAULT.withMaxLineBytes(limit, longer);
            BatchPolicy policy = NEVER_FULL.withMaxBytes(1 + random.nextInt(200));
            List<TooLongLine> expected = longLines(path, file, limit);
            try (LineRedactHarness harness =
                    new LineRedactHarness(false, findsLines, policy, Script.NONE)) {
                harness.open();
                int rangeBytes = 1 + random.nextInt(limit);
                for (LineRange range : ranges(path, file.length, rangeBytes, filePolicy)) {
                    harness.process(range);
                }
                harness.endInput();
                assertThat(text(harness.chunks(path)))
                        .as("seed=%d, %s", seed, filePolicy)
                        .isEqualTo(redacted(PlainFile.limited(file, filePolicy)));
                assertThat(harness.longLines())
                        .as("seed=%d, %s", seed, filePolicy)
                        .isEqualTo(expected);
                assertThat(harness.metrics().counter("gpu.longLines")).isEqualTo(expected.size());
            }
            places += expected.size();
        }
        assertThat(places).as("seed=%d", SEED).isGreaterThan(200);
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

    private static List<TooLongLine> longLines(String path, byte[] file, int limit) {
        List<TooLongLine> places = new ArrayList<>();
        List<Integer> bounds = RandomLines.bounds(file);
        for (int i = 0; i + 1 < bounds.size(); i++) {
            int end = bounds.get(i + 1);
            int lineBytes = end - bounds.get(i) - (file[end - 1] == '\n' ? 1 : 0);
            if (lineBytes > limit) {
                places.add(new TooLongLine(path, bounds.get(i), lineBytes));
            }
        }
        return places;
    }

    private static List<LineRange> ranges(
            String path, int fileBytes, int rangeBytes, boolean terminates) {
        return ranges(
                path,
                fileBytes,
                rangeBytes,
                FilePolicy.DEFAULT.withLastLinesTerminated(terminates));
    }

    private static List<LineRange> ranges(
            String path, int fileBytes, int rangeBytes, FilePolicy policy) {
        List<LineRange> ranges = new ArrayList<>();
        for (int offset = 0; offset < fileBytes; offset += rangeBytes) {
            int length = Math.min(rangeBytes, fileBytes - offset);
            ranges.add(new LineRange(path, offset, length, fileBytes, policy));
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
