package io.flinkgpu.operator.lines;

import io.flinkgpu.api.Action;
import io.flinkgpu.api.BatchPolicy;
import io.flinkgpu.api.GpuOptions;
import io.flinkgpu.api.LineChunk;
import io.flinkgpu.api.LineChunkSerializer;
import io.flinkgpu.api.LineRange;
import io.flinkgpu.api.LineRangeTypeInfo;
import io.flinkgpu.api.Lines;
import io.flinkgpu.api.Rule;
import io.flinkgpu.api.RuleSet;
import io.flinkgpu.backend.Backend;
import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.DeviceOutOfMemoryException;
import io.flinkgpu.backend.LineFindingBackend;
import io.flinkgpu.backend.ScriptedBackend;
import io.flinkgpu.backend.ScriptedBackend.Call;
import io.flinkgpu.backend.ScriptedBackend.Script;
import io.flinkgpu.operator.OperatorEnvironment;
import io.flinkgpu.source.RandomLines;
import io.flinkgpu.text.RuleCompiler;

import org.apache.flink.api.common.serialization.SerializerConfigImpl;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.OneInputStreamOperatorTestHarness;

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

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Lines of ranges and chunks leave redacted, each once and in order. The backend throws if it leaks. */
@Timeout(120)
class LineRedactOperatorTest {

    private static final RuleSet RULES = RuleSet.of(Rule.of("ones", "1+", Action.label("[ones]")));
    private static final BatchPolicy NEVER_FULL =
            new BatchPolicy(1 << 16, 1 << 20, Duration.ofMinutes(10));

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
            try (Harness harness = new Harness(lends, findsLines, policy, counting(script))) {
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
        try (Harness harness = new Harness(lends, NEVER_FULL, Script.NONE)) {
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
        try (Harness harness =
                new Harness(true, false, LineChunkSerializer.INSTANCE, NEVER_FULL, Script.NONE)) {
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
        try (Harness harness = new Harness(false, policy, Script.NONE)) {
            harness.open();
            harness.setProcessingTime(100);
            harness.process(new LineChunk("a", 0, bytes("1\n")));
            harness.setProcessingTime(140);
            harness.process(new LineChunk("a", 2, bytes("")));
            harness.setProcessingTime(150);
            assertThat(harness.hasOpenBatch()).isFalse();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void marksWaitForTheLinesBeforeThem(boolean lends) throws Exception {
        try (Harness harness = new Harness(lends, NEVER_FULL, Script.NONE)) {
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
        Harness harness = new Harness(lends, NEVER_FULL, counting(script));
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
        Harness harness = new Harness(lends, NEVER_FULL, counting(Script.NONE));
        harness.open();
        harness.process(new LineChunk("a", 0, bytes("1\n")));
        String gone = directory.resolve("gone").toString();
        assertThatThrownBy(() -> harness.process(new LineRange(gone, 0, 5, 5)))
                .hasMessageContaining("an input file is gone since it was listed");
        harness.getOperator().close();
        assertThat(harness.getOutput()).isEmpty();
        assertThat(closed).hasValue(1);
    }

    private Script counting(Script script) {
        return (call, rows) -> {
            script.on(call, rows);
            if (call == Call.CLOSE) {
                closed.incrementAndGet();
            }
        };
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

    private static final class Harness extends OneInputStreamOperatorTestHarness<Lines, LineChunk> {

        /**
         * @param lends whether the lines of a chunk are only there while it is collected
         */
        Harness(boolean lends, BatchPolicy policy, Script script) throws Exception {
            this(lends, false, policy, script);
        }

        /**
         * @param findsLines whether the backend does
         */
        Harness(boolean lends, boolean findsLines, BatchPolicy policy, Script script)
                throws Exception {
            this(
                    lends,
                    findsLines,
                    lends ? new WrittenChunks() : LineChunkSerializer.INSTANCE,
                    policy,
                    script);
        }

        /**
         * @param collector copies what is collected
         */
        Harness(
                boolean lends,
                boolean findsLines,
                TypeSerializer<LineChunk> collector,
                BatchPolicy policy,
                Script script)
                throws Exception {
            super(
                    new LineRedactOperatorFactory(
                            RuleCompiler.compile(RULES),
                            GpuOptions.DEFAULT.withBatchPolicy(policy),
                            (limitBytes, slot) -> open(limitBytes, slot, script, findsLines),
                            (limitBytes, slot) ->
                                    ScriptedBackend.openCpu(limitBytes, slot, Script.NONE),
                            lends),
                    serializer(),
                    new OperatorEnvironment().environment());
            setup(collector);
        }

        private static Backend open(long limitBytes, int slot, Script script, boolean findsLines)
                throws BackendException {
            Backend cpu = ScriptedBackend.openCpu(limitBytes, slot, script);
            return findsLines ? new LineFindingBackend(cpu) : cpu;
        }

        @SuppressWarnings({"unchecked", "rawtypes"}) // Ranges are lines.
        private static TypeSerializer<Lines> serializer() {
            return (TypeSerializer)
                    LineRangeTypeInfo.INSTANCE.createSerializer(new SerializerConfigImpl());
        }

        @Override
        public void close() {
            try {
                super.close();
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }

        boolean hasOpenBatch() {
            return ((LineRedactOperator) getOperator()).hasOpenBatch();
        }

        void process(Lines lines) throws Exception {
            processElement(new StreamRecord<>(lines));
        }

        List<LineChunk> chunks(String file) {
            List<LineChunk> chunks = extractOutputValues();
            assertThat(chunks).allMatch(chunk -> chunk.file().equals(file));
            assertThat(getOutput())
                    .allMatch(element -> !((StreamRecord<?>) element).hasTimestamp());
            return chunks;
        }

        /** Chunks start where the lines of the one before have ended in the input. */
        void assertOffsets(byte[] file) {
            List<Integer> bounds = RandomLines.bounds(file);
            int line = 0;
            for (LineChunk chunk : extractOutputValues()) {
                assertThat(chunk.offsetBytes()).isEqualTo((long) bounds.get(line));
                String text = new String(chunk.bytes(), StandardCharsets.UTF_8);
                line += (int) text.chars().filter(c -> c == '\n').count();
            }
        }
    }
}
