package io.flinkgpu.operator;

import io.flinkgpu.api.Action;
import io.flinkgpu.api.BatchPolicy;
import io.flinkgpu.api.GpuOptions;
import io.flinkgpu.api.LineChunk;
import io.flinkgpu.api.LineChunkSerializer;
import io.flinkgpu.api.RefusedRecord;
import io.flinkgpu.api.Rule;
import io.flinkgpu.api.RuleSet;
import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.BackendFactory;
import io.flinkgpu.backend.cpu.CpuBackend;
import io.flinkgpu.column.BatchCodec;
import io.flinkgpu.column.LineChunkCodec;
import io.flinkgpu.column.StringFieldCodec;
import io.flinkgpu.column.StringFieldsCodec;
import io.flinkgpu.operator.redact.RedactHarness;

import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.base.StringSerializer;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.util.OutputTag;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Labels much longer than what they replace, so that results do not fit into the columns' memory: they
 * come in parts, in order, and complete. The backend is the real CPU one.
 *
 * <p>Covers: BatchPipeline.
 */
@Timeout(120)
class OutputLargerThanMemoryTest {

    private static final long LIMIT_BYTES = 16 << 20;
    private static final String LABEL = "X".repeat(80);
    private static final RuleSet RULES = RuleSet.of(Rule.of("a", "a", Action.label(LABEL)));
    private static final GpuOptions OPTIONS =
            GpuOptions.DEFAULT
                    .withMemoryLimitBytes(LIMIT_BYTES)
                    .withBatchPolicy(new BatchPolicy(1 << 16, 1 << 20, Duration.ofMinutes(10)));

    @Test
    void emitsChunksWhoseRowsAreSpreadOverParts() throws Exception {
        try (RedactHarness<LineChunk> harness =
                onCpu(new LineChunkCodec(), LineChunkSerializer.INSTANCE)) {
            harness.open();
            List<Object> expected = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                // Half a million lines that become 40 MiB; the last line of every other is
                // unterminated.
                String lines = "a\n".repeat(1 << 19) + (i % 2 == 0 ? "b" : "b\n");
                harness.processElement(chunk(i, lines), i);
                harness.processElement(chunk(i, ""), i);
                harness.processElement(chunk(i, "b\n"), i);
                harness.processWatermark(new Watermark(i));
                expected.add(chunk(i, lines.replace("a", LABEL)));
                expected.add(chunk(i, ""));
                expected.add(chunk(i, "b\n"));
                expected.add(new Watermark(i));
            }
            harness.endInput();
            // Not containsExactly, which would print them.
            assertThat(harness.output().equals(expected)).as("the same chunks").isTrue();
            assertThat(harness.counter("gpu.splitBatches")).isEqualTo(4);
        }
    }

    @Test
    void emitsRecordsOfManySplitBatches() throws Exception {
        try (RedactHarness<String> harness = onCpu(texts(), StringSerializer.INSTANCE)) {
            harness.open();
            List<Object> expected = new ArrayList<>();
            for (int i = 0; i < 3000; i++) {
                String text = i + "a".repeat(i % 1000);
                harness.processElement(text, i);
                expected.add(text.replace("a", LABEL));
                if (i % 100 == 0) {
                    harness.processWatermark(new Watermark(i));
                    expected.add(new Watermark(i));
                }
            }
            harness.endInput();
            assertThat(harness.output().equals(expected)).as("the same records").isTrue();
        }
    }

    @Test
    void saysWhatToDoAboutARowThatDoesNotFit() throws Exception {
        try (RedactHarness<String> harness = onCpu(texts(), StringSerializer.INSTANCE)) {
            harness.open();
            harness.processElement("first a", 0);
            harness.processElement("a".repeat(1 << 18), 1);
            harness.processElement("last a", 2);
            assertThatThrownBy(harness::endInput)
                    .cause()
                    .isInstanceOf(BackendException.class)
                    .hasMessageStartingWith(
                            "no memory for the result of a single row: memoryLimitBytes=16777216")
                    .hasMessageContaining("raise memoryLimitBytes");
            assertThat(harness.output()).containsExactly("first " + LABEL);
        }
    }

    /** Also where another field of the record was redacted before. */
    @Test
    void goesOnWithoutARecordThatDoesNotFitWhereItIsAskedTo() throws Exception {
        OutputTag<RefusedRecord> tag = new OutputTag<>("refused") {};
        try (RedactHarness<String> harness =
                RedactHarness.of(
                        new StringFieldsCodec<>(List.of(texts(), texts())),
                        StringSerializer.INSTANCE,
                        RULES,
                        OPTIONS,
                        tag,
                        CpuBackend::open)) {
            harness.open();
            harness.processElement("first a", 0);
            harness.processElement("a".repeat(1 << 18), 1);
            harness.processElement("third a", 2);
            harness.endInput();
            assertThat(harness.output()).containsExactly("first " + LABEL, "third " + LABEL);
            assertThat(harness.getSideOutput(tag))
                    .extracting(StreamRecord::getValue)
                    .containsExactly(
                            new RefusedRecord(
                                    0,
                                    2,
                                    1L,
                                    null,
                                    "its redacted text does not fit into the operator's memory;"
                                            + " raise memoryLimitBytes"));
        }
    }

    @Test
    void goesOnWithoutAChunkOneOfWhoseLinesDoesNotFitWhereItIsAskedTo() throws Exception {
        OutputTag<RefusedRecord> tag = new OutputTag<>("refused") {};
        try (RedactHarness<LineChunk> harness =
                RedactHarness.of(
                        new LineChunkCodec(),
                        LineChunkSerializer.INSTANCE,
                        RULES,
                        OPTIONS,
                        tag,
                        CpuBackend::open)) {
            harness.open();
            harness.processElement(chunk(0, "b\n"), 0);
            harness.processElement(chunk(2, "b\n" + "a".repeat(1 << 18) + "\nb\n"), 1);
            harness.processElement(chunk(7, "a\n"), 2);
            harness.endInput();
            assertThat(harness.output()).containsExactly(chunk(0, "b\n"), chunk(7, LABEL + "\n"));
            assertThat(harness.getSideOutput(tag))
                    .extracting(record -> record.getValue().place())
                    .containsExactly("file=f, offsetBytes=2");
        }
    }

    @Test
    void closesWhileABatchRunsInParts() throws Exception {
        RedactHarness<LineChunk> harness =
                onCpu(new LineChunkCodec(), LineChunkSerializer.INSTANCE);
        harness.open();
        harness.processElement(chunk(0, "aaaaaaa\n".repeat(65_000)), 0);
        // The first part is there, and the second waits until it is emitted.
        harness.runNextMail();
        // Throws if a byte is held.
        harness.close();
        assertThat(harness.output()).isEmpty();
    }

    private static StringFieldCodec<String> texts() {
        return new StringFieldCodec<>(text -> text, (record, text) -> text);
    }

    private static LineChunk chunk(int offset, String lines) {
        return new LineChunk("f", offset, lines.getBytes(StandardCharsets.UTF_8));
    }

    private static <T> RedactHarness<T> onCpu(BatchCodec<T> codec, TypeSerializer<T> serializer)
            throws Exception {
        BackendFactory cpu = CpuBackend::open;
        BackendFactory unused =
                request -> {
                    throw new BackendException("there is no device to be out of memory");
                };
        return RedactHarness.of(codec, serializer, RULES, OPTIONS, cpu, unused);
    }
}
