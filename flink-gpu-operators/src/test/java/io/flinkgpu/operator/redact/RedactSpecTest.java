package io.flinkgpu.operator.redact;

import io.flinkgpu.api.LineChunk;
import io.flinkgpu.backend.ScriptedBackend.Call;
import io.flinkgpu.backend.ScriptedBackend.Script;
import io.flinkgpu.column.StringFieldCodec;
import io.flinkgpu.operator.FlushReason;
import io.flinkgpu.operator.StringBuilderSerializer;

import org.apache.flink.api.common.typeutils.base.StringSerializer;
import org.apache.flink.metrics.Histogram;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

import static io.flinkgpu.operator.redact.RedactHarness.NEVER_FULL;
import static io.flinkgpu.operator.redact.RedactHarness.ofChunks;
import static io.flinkgpu.operator.redact.RedactHarness.ofStrings;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * What redaction emits, and when its batches end.
 *
 * <p>Covers: RedactSpec, RedactEmitter.
 */
class RedactSpecTest {

    private final List<Integer> batchRows = Collections.synchronizedList(new ArrayList<>());
    private final Script recordRows =
            (call, rows) -> {
                if (call == Call.SUBMIT) {
                    batchRows.add(rows);
                }
            };

    @Test
    void keepsOrderAndTimestamps() throws Exception {
        try (RedactHarness<String> harness = ofStrings(NEVER_FULL, Script.NONE)) {
            harness.open();
            harness.processElement("a secret", 7);
            harness.processElement(new StreamRecord<>("nothing"));
            harness.processElement(new StreamRecord<>("\ud800 secret"));
            harness.endInput();
            assertThat(harness.getOutput())
                    .containsExactly(
                            new StreamRecord<>("a [X]", 7),
                            new StreamRecord<>("nothing"),
                            new StreamRecord<>("\ud800 [X]"));
        }
    }

    @Test
    void passesUnchangedRecordsAndNullTextOnAsTheSameObject() throws Exception {
        StringFieldCodec<String> nullForEmpty =
                new StringFieldCodec<>(
                        text -> text.isEmpty() ? null : text, (record, text) -> text);
        try (RedactHarness<String> harness =
                RedactHarness.of(
                        nullForEmpty,
                        StringSerializer.INSTANCE,
                        NEVER_FULL,
                        Script.NONE,
                        Script.NONE)) {
            harness.open();
            String unchanged = new String("nothing");
            harness.processElement(unchanged, 1);
            harness.processElement("", 2);
            harness.processElement("secret", 3);
            harness.endInput();
            assertThat(harness.output()).containsExactly("nothing", "", "[X]");
            assertThat(harness.output().get(0)).isSameAs(unchanged);
        }
    }

    @Test
    void endsABatchAtItsRows() throws Exception {
        try (RedactHarness<String> harness = ofStrings(NEVER_FULL.withMaxRows(3), recordRows)) {
            harness.open();
            for (int i = 0; i < 7; i++) {
                harness.processElement("secret " + i, i);
            }
            harness.endInput();
            assertThat(batchRows).containsExactly(3, 3, 1);
            assertThat(harness.flushes(FlushReason.ROWS)).isEqualTo(2);
            assertThat(harness.flushes(FlushReason.END_OF_INPUT)).isEqualTo(1);
        }
    }

    @Test
    void endsABatchAtItsBytesAndTakesALargerRecordAlone() throws Exception {
        try (RedactHarness<String> harness = ofStrings(NEVER_FULL.withMaxBytes(10), recordRows)) {
            harness.open();
            for (String text : List.of("1234", "1234", "12", "this is a long secret", "1")) {
                harness.processElement(text, 0);
            }
            harness.endInput();
            assertThat(batchRows).containsExactly(2, 1, 1, 1);
            assertThat(harness.flushes(FlushReason.BYTES)).isEqualTo(3);
            assertThat(harness.output())
                    .containsExactly("1234", "1234", "12", "this is a long [X]", "1");
        }
    }

    @Test
    void runsRecordsAloneThatDoNotFitIntoMemorySeveralAtATime() throws Exception {
        String large = "x".repeat(3 << 20);
        try (RedactHarness<String> harness =
                RedactHarness.ofMemory(16 << 20, NEVER_FULL.withMaxBytes(1 << 10))) {
            harness.open();
            for (int i = 0; i < 8; i++) {
                harness.processElement("secret " + i, i);
                harness.processElement(large + "secret", i);
                assertThat(harness.output()).hasSize(2 * i + 2);
            }
            harness.endInput();
            assertThat(harness.output()).hasSize(16).startsWith("[X] 0", large + "[X]", "[X] 1");
        }
    }

    @Test
    void saysWhatToDoAboutARecordThatNeverFitsIntoMemory() throws Exception {
        String tooLarge = "x".repeat(17 << 20);
        try (RedactHarness<String> harness = RedactHarness.ofMemory(16 << 20, NEVER_FULL)) {
            harness.open();
            assertThatThrownBy(() -> harness.processElement(tooLarge, 0))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageStartingWith("no memory for a batch with this record: ")
                    .hasMessageContaining("raise memoryLimitBytes");
        }
    }

    @Test
    void redactsChunksOfLines() throws Exception {
        try (RedactHarness<LineChunk> harness = ofChunks(NEVER_FULL, recordRows, Script.NONE)) {
            harness.open();
            LineChunk untouched = chunk(18, "x\ny\n");
            harness.processElement(chunk(0, "a secret\n\nsecrets\n"), 0);
            harness.processElement(untouched, 0);
            harness.processElement(chunk(22, ""), 0);
            harness.processElement(chunk(22, "\nlast secret"), 0);
            harness.endInput();
            assertThat(harness.output())
                    .containsExactly(
                            chunk(0, "a [X]\n\n[X]s\n"),
                            untouched,
                            chunk(22, ""),
                            chunk(22, "\nlast [X]"));
            assertThat(harness.output().get(1)).isSameAs(untouched);
            assertThat(batchRows).containsExactly(7);
        }
    }

    @Test
    void emitsChunksWithoutLinesWithoutAskingTheBackend() throws Exception {
        try (RedactHarness<LineChunk> harness = ofChunks(NEVER_FULL, recordRows, Script.NONE)) {
            harness.open();
            harness.processElement(chunk(0, ""), 5);
            harness.endInput();
            assertThat(harness.output()).containsExactly(chunk(0, ""));
            assertThat(batchRows).isEmpty();
        }
    }

    @Test
    void copiesWhatItKeepsWhenObjectsAreReused() throws Exception {
        try (RedactHarness<StringBuilder> harness =
                RedactHarness.of(
                        new StringFieldCodec<>(
                                StringBuilder::toString, (record, text) -> new StringBuilder(text)),
                        new StringBuilderSerializer(),
                        NEVER_FULL,
                        Script.NONE,
                        Script.NONE)) {
            harness.getExecutionConfig().enableObjectReuse();
            harness.open();
            StringBuilder reused = new StringBuilder("first");
            StreamRecord<StringBuilder> record = new StreamRecord<>(reused, 1);
            harness.processElement(record);
            reused.replace(0, reused.length(), "second");
            record.replace(reused, 2);
            harness.processElement(record);
            reused.setLength(0);
            harness.endInput();
            assertThat(harness.getOutput().stream().map(Object::toString))
                    .containsExactly("Record @ 1 : first", "Record @ 2 : second");
        }
    }

    @Test
    void countsMatchesRowsBytesAndBatches() throws Exception {
        try (RedactHarness<String> harness = ofStrings(NEVER_FULL.withMaxRows(2), Script.NONE)) {
            harness.open();
            harness.processElement("secret secret", 0);
            harness.processElement("none", 0);
            harness.processElement("a secret", 0);
            harness.endInput();
            assertThat(accumulator(harness, "matches.secret")).isEqualTo(3L);
            assertThat(accumulator(harness, "rows")).isEqualTo(3L);
            assertThat(accumulator(harness, "bytes")).isEqualTo(25L);
            assertThat(accumulator(harness, "batches")).isEqualTo(2L);
            assertThat(harness.counter("gpu.rule.secret.matches")).isEqualTo(3);
            assertThat(harness.counter("gpu.bytesIn")).isEqualTo(25);
            assertThat(harness.counter("gpu.deviceMillis")).isEqualTo(2);
            assertThat(harness.gauge("gpu.linkMillis")).isEqualTo(3L);
            assertThat(harness.counter("gpu.hardRows")).isEqualTo(2);
            assertThat(((Histogram) harness.metric("gpu.batchRows")).getStatistics().getValues())
                    .containsExactlyInAnyOrder(2, 1);
            assertThat(((Histogram) harness.metric("gpu.batchBytes")).getStatistics().getValues())
                    .containsExactlyInAnyOrder(17, 8);
            assertThat(harness.gauge("gpu.backend")).isEqualTo(0);
            assertThat(harness.gauge("gpu.backendName")).isEqualTo("fake");
            assertThat(harness.counter("gpu.splitBatches")).isZero();
            assertThat(harness.counter("gpu.cpuFallbackBatches")).isZero();
            assertThat(harness.gauge("gpu.inFlightBatches")).isEqualTo(0);
            assertThat(harness.gauge("gpu.allocatedBytes")).isEqualTo(0L);
        }
    }

    @ParameterizedTest
    @CsvSource({"'', 0", "'5,3,10', 3", "7, 7"})
    void opensTheFirstGpuThatFlinkAssigned(String indexes, int slot) throws Exception {
        List<Integer> slots = new ArrayList<>();
        Script recordSlot =
                (call, rows) -> {
                    if (call == Call.OPEN) {
                        slots.add(rows);
                    }
                };
        String[] gpus = indexes.isEmpty() ? new String[0] : indexes.split(",");
        try (RedactHarness<String> harness = RedactHarness.ofGpus(recordSlot, gpus)) {
            harness.open();
            assertThat(slots).containsExactly(slot);
        }
    }

    private static LineChunk chunk(long offset, String lines) {
        return new LineChunk("f", offset, lines.getBytes(StandardCharsets.UTF_8));
    }

    private static Object accumulator(RedactHarness<?> harness, String name) {
        return harness.getOperator()
                .getRuntimeContext()
                .getLongCounter("redaction." + name)
                .getLocalValue();
    }
}
