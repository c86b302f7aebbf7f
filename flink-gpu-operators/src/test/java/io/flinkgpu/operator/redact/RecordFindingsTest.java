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
import org.assertj.core.groups.Tuple;
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
 * <p>Covers: RecordFindings, RedactEmitter.
 */
class RecordFindingsTest {

    private static final OutputTag<Finding> FOUND = new OutputTag<>("found") {};
    private static final OutputTag<RefusedRecord> REFUSED = new OutputTag<>("refused") {};

    @TempDir Path directory;

    /** So many rows have no memory, in this order; or those have it that are there as a negative number. */
    private final List<Integer> tooLarge = new ArrayList<>();

    private final Script script =
            (call, rows) -> {
                if (call == Call.AWAIT
                        && !tooLarge.isEmpty()
                        && Math.abs(tooLarge.get(0)) == rows
                        && tooLarge.remove(0) > 0) {
                    throw new OutOfMemoryException("none");
                }
            };

    /** What comes of records, of which one is refused. */
    private List<Object> redact(List<Finding> findings, String... records) throws Exception {
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
            for (String record : records) {
                harness.processElement(record, 1);
            }
            harness.endInput();
            assertThat(tooLarge).isEmpty();
            assertThat(harness.getSideOutput(REFUSED)).hasSize(1);
            harness.getSideOutput(FOUND).forEach(found -> findings.add(found.getValue()));
            return harness.output();
        }
    }

    private static void assertFound(List<Finding> findings, Tuple... places) {
        assertThat(findings)
                .extracting(Finding::source, Finding::record, Finding::offsetBytes)
                .containsExactly(places);
    }

    /** The record's second field is in one part of the result with the first of the next record. */
    @Test
    void thoseOfARefusedRecordAreNotTheNextOnes() throws Exception {
        tooLarge.addAll(List.of(6, 6, 3, 1));
        List<Finding> found = new ArrayList<>();
        assertThat(redact(found, "secret 1|secret 2", "secret 3|x", "y|a secret"))
                .containsExactly("[X] 3|x", "y|a [X]");
        assertFound(found, tuple("a", 1L, 0), tuple("b", 2L, 2));
    }

    /** Its first field was redacted. */
    @Test
    void thoseOfARecordThatIsRefusedInTheEndAreNotSent() throws Exception {
        tooLarge.addAll(List.of(4, 4, 2, -1, 1));
        List<Finding> found = new ArrayList<>();
        assertThat(redact(found, "secret 1|secret 2", "a secret|x")).containsExactly("a [X]|x");
        assertFound(found, tuple("a", 1L, 2));
    }

    @Test
    void thoseOfARecordThatCannotBeMadeAreNotSent() throws Exception {
        List<Finding> found = new ArrayList<>();
        assertThat(redact(found, "secret|no", "a secret|x")).containsExactly("a [X]|x");
        assertFound(found, tuple("a", 1L, 2));
    }

    private static StringFieldCodec<String> field(int number) {
        return new StringFieldCodec<>(
                record -> record.split("\\|")[number],
                (record, text) -> {
                    if (record.endsWith("|no")) {
                        throw new IllegalStateException("no");
                    }
                    String[] fields = record.split("\\|");
                    fields[number] = text;
                    return String.join("|", fields);
                });
    }
}
