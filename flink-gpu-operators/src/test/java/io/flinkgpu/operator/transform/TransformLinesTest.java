package io.flinkgpu.operator.transform;

import io.flinkgpu.api.Action;
import io.flinkgpu.api.BatchPolicy;
import io.flinkgpu.api.GpuOptions;
import io.flinkgpu.api.LineChunk;
import io.flinkgpu.api.Rule;
import io.flinkgpu.api.RuleSet;
import io.flinkgpu.api.expression.TextExpression;
import io.flinkgpu.backend.ScriptedBackend.Script;

import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import static io.flinkgpu.api.expression.Expressions.col;
import static io.flinkgpu.api.expression.Expressions.concat;
import static io.flinkgpu.api.expression.Expressions.lit;
import static io.flinkgpu.api.expression.Expressions.when;
import static io.flinkgpu.operator.transform.TransformHarness.OPTIONS;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Lines of chunks, replaced and left out.
 *
 * <p>Covers: LineSpec.
 */
@Timeout(120)
class TransformLinesTest {

    private static final TextExpression BRACKETS = concat(lit("<"), col("line"), lit(">"));
    private static final TextExpression WITHOUT_COMMENTS =
            when(col("line").startsWith("#")).then(lit(null)).otherwise(BRACKETS);

    @Test
    void replacesEveryLine() throws Exception {
        try (TransformHarness<LineChunk, LineChunk> harness =
                TransformHarness.ofLines(BRACKETS, OPTIONS, Script.NONE)) {
            harness.open();
            harness.processElement(chunk(0, "a\n\nbc\n"), 5);
            harness.processWatermark(5);
            harness.processElement(chunk(6, ""), 6);
            harness.processElement(chunk(6, "\nlast"), 7);
            harness.endInput();
            assertThat(harness.getOutput())
                    .containsExactly(
                            new StreamRecord<>(chunk(0, "<a>\n<>\n<bc>\n"), 5),
                            new Watermark(5),
                            new StreamRecord<>(chunk(6, ""), 6),
                            new StreamRecord<>(chunk(6, "<>\n<last>"), 7));
        }
    }

    @Test
    void leavesOutLinesWhoseResultIsNull() throws Exception {
        assertThat(
                        transform(
                                WITHOUT_COMMENTS,
                                "a\n#\nb\n",
                                "#\n#x\n",
                                "a\n#last",
                                "#\nlast",
                                "#",
                                "x"))
                .containsExactly("<a>\n<b>\n", "", "<a>\n", "<last>", "", "<x>");
    }

    @Test
    void linesThatArePassedOnAsTheyAre() throws Exception {
        assertThat(transform(col("line"), "a\r\nb\n", "\n", "c"))
                .containsExactly("a\r\nb\n", "\n", "c");
    }

    @Test
    void redactsInAnExpression() throws Exception {
        RuleSet rules = RuleSet.of(Rule.of("id", "id[0-9]+", Action.label("[ID]")));
        assertThat(
                        transform(
                                concat(lit("- "), col("line").redact(rules).upper()),
                                "a id7 b\n",
                                "c"))
                .containsExactly("- A [ID] B\n", "- C");
    }

    @Test
    void chunksAreSpreadOverParts() throws Exception {
        GpuOptions options =
                GpuOptions.DEFAULT
                        .withMemoryLimitBytes(16 << 20)
                        .withBatchPolicy(new BatchPolicy(1 << 16, 1 << 20, Duration.ofMinutes(10)));
        String label = "X".repeat(80);
        TextExpression expression =
                when(col("line").equalTo("#"))
                        .then(lit(null))
                        .otherwise(col("line").replace("a", label));
        try (TransformHarness<LineChunk, LineChunk> harness =
                TransformHarness.ofLines(expression, options, Script.NONE)) {
            harness.open();
            List<Object> expected = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                // Half a million lines that become 40 MiB; the last one is left out, or
                // unterminated.
                String lines = "a\n#\n".repeat(1 << 18) + (i == 1 ? "#" : "b");
                harness.processElement(chunk(i, lines), i);
                harness.processElement(chunk(i, "b\n"), i);
                expected.add(chunk(i, (label + "\n").repeat(1 << 18) + (i == 1 ? "" : "b")));
                expected.add(chunk(i, "b\n"));
            }
            harness.endInput();
            // Not containsExactly, which would print them.
            assertThat(harness.output().equals(expected)).as("the same chunks").isTrue();
            assertThat(harness.counter("gpu.splitBatches")).isEqualTo(3);
        }
    }

    private static List<String> transform(TextExpression expression, String... chunks)
            throws Exception {
        try (TransformHarness<LineChunk, LineChunk> harness =
                TransformHarness.ofLines(expression, OPTIONS, Script.NONE)) {
            harness.open();
            for (String lines : chunks) {
                harness.processElement(chunk(0, lines), 0);
            }
            harness.endInput();
            return harness.output().stream()
                    .map(chunk -> new String(((LineChunk) chunk).bytes(), StandardCharsets.UTF_8))
                    .toList();
        }
    }

    private static LineChunk chunk(long offset, String lines) {
        return new LineChunk("f", offset, lines.getBytes(StandardCharsets.UTF_8));
    }
}
