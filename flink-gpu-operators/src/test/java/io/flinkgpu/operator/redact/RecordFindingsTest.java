package io.flinkgpu.operator.redact;

import io.flinkgpu.api.Finding;
import io.flinkgpu.api.GpuOptions;
import io.flinkgpu.api.HashKey;
import io.flinkgpu.api.RefusedRecord;
import io.flinkgpu.backend.ScriptedBackend;
import io.flinkgpu.backend.ScriptedBackend.Call;
import io.flinkgpu.backend.ScriptedBackend.Script;
import io.flinkgpu.column.StringFieldCodec;
import io.flinkgpu.column.StringFieldsCodec;
import io.flinkgpu.text.RuleCompiler;

import org.apache.flink.api.common.typeutils.base.StringSerializer;
import org.apache.flink.util.OutputTag;

import org.apache.arrow.memory.OutOfMemoryException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

/**
 * Findings of records with several fields, of which some cannot be redacted.
 *
 * <p>Covers: RedactEmitter.
 */
class RecordFindingsTest {

    private static final OutputTag<Finding> FOUND = new OutputTag<>("found") {};
    private static final OutputTag<RefusedRecord> REFUSED = new OutputTag<>("refused") {};

    @TempDir Path directory;

    /** So many rows have no memory, in this order. */
    private final List<Integer> tooLarge = new ArrayList<>(List.of(6, 6, 3, 1));

    private final Script script =
            (call, rows) -> {
                if (call == Call.AWAIT && !tooLarge.isEmpty() && tooLarge.get(0) == rows) {
                    tooLarge.remove(0);
                    throw new OutOfMemoryException("none");
                }
            };

    /** The record's second field is in one part of the result with the first of the next record. */
    @Test
    void thoseOfARefusedRecordAreNotTheNextOnes() throws Exception {
        Path key = Files.writeString(directory.resolve("key"), "0123456789abcdef0123");
        RedactSpec<String> spec =
                new RedactSpec<>(
                        new StringFieldsCodec<>(List.of(field(0), field(1))),
                        RuleCompiler.compile(RedactHarness.RULES),
                        REFUSED,
                        List.of("a", "b"),
                        new FindingOutput.Target(FOUND, 1));
        try (RedactHarness<String> harness =
                RedactHarness.of(
                        spec,
                        StringSerializer.INSTANCE,
                        GpuOptions.DEFAULT
                                .withBatchPolicy(RedactHarness.NEVER_FULL)
                                .withHashKey(HashKey.fromFile(key)),
                        request -> ScriptedBackend.openCpu(request, script))) {
            harness.open();
            harness.processElement("secret 1|secret 2", 1);
            harness.processElement("secret 3|x", 2);
            harness.processElement("y|a secret", 3);
            harness.endInput();
            assertThat(tooLarge).isEmpty();
            assertThat(harness.output()).containsExactly("[X] 3|x", "y|a [X]");
            assertThat(harness.getSideOutput(REFUSED)).hasSize(1);
            assertThat(harness.getSideOutput(FOUND))
                    .extracting(found -> found.getValue())
                    .extracting(Finding::source, Finding::record, Finding::offsetBytes)
                    .containsExactly(tuple("a", 1L, 0), tuple("b", 2L, 2));
        }
    }

    private static StringFieldCodec<String> field(int number) {
        return new StringFieldCodec<>(
                record -> record.split("\\|")[number],
                (record, text) -> {
                    String[] fields = record.split("\\|");
                    fields[number] = text;
                    return String.join("|", fields);
                });
    }
}
