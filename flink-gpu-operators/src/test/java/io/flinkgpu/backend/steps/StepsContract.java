package io.flinkgpu.backend.steps;

import io.flinkgpu.api.Action;
import io.flinkgpu.api.ColumnType;
import io.flinkgpu.api.Rule;
import io.flinkgpu.api.RuleSet;
import io.flinkgpu.backend.ByteText;
import io.flinkgpu.backend.CompiledProgram;
import io.flinkgpu.backend.PassBuilder;
import io.flinkgpu.backend.PassTester;
import io.flinkgpu.backend.Submission;
import io.flinkgpu.backend.TestColumns;
import io.flinkgpu.backend.plan.TransformPlan;
import io.flinkgpu.backend.plan.TransformedBatch;
import io.flinkgpu.column.ColumnBatch;
import io.flinkgpu.program.HashStep;
import io.flinkgpu.program.OpCode;
import io.flinkgpu.program.Pass;
import io.flinkgpu.program.Program;
import io.flinkgpu.program.RedactStep;
import io.flinkgpu.program.Step;
import io.flinkgpu.program.TextPart.Change;
import io.flinkgpu.text.Replacer;
import io.flinkgpu.text.RuleCompiler;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;

import static io.flinkgpu.backend.PassBuilder.column;
import static io.flinkgpu.backend.PassBuilder.part;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Programs of several steps, on every backend.
 *
 * <p>Covers: Steps, HashStage.
 */
public abstract class StepsContract extends PassTester {

    private static final List<ColumnType> TYPES =
            List.of(ColumnType.TEXT, ColumnType.LONG, ColumnType.TEXT);
    private static final RuleSet RULES =
            RuleSet.of(
                    Rule.of("secret", "SECRET", Action.label("[S]")),
                    Rule.of("number", "[0-9]+", Action.hash("#", 16, "")));
    private static final byte[] KEY = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);

    private final List<String> texts =
            Arrays.asList("a secret", null, "", "42 and 7", null, "\u00ff\u00c3", "secretsecret");
    private final List<Long> longs = Arrays.asList(1L, null, 3L, 4L, 5L, null, 7L);
    private final List<String> others = Arrays.asList("x", "y", null, "", "z", "w", null);

    /** Upper case, redacted, with its length; and the hash of the third column. */
    private static List<Step> steps() {
        PassBuilder upper = new PassBuilder();
        upper.writeText(part(-1, true, column(0), Change.UPPER));
        upper.writeText(part(column(2)), part(column(2)));
        PassBuilder measure = new PassBuilder();
        measure.write(ColumnType.LONG, measure.length(column(5)));
        int isNull =
                measure.condition(
                        OpCode.IS_NULL_NUMBER,
                        measure.number(OpCode.LOAD_NUMBER, 0, 0, 0, 1, 0),
                        0);
        measure.writeText(
                part(isNull, true, measure.literal("none"), Change.NONE),
                part(isNull, false, column(5), Change.NONE));
        return List.of(
                upper.build(),
                new RedactStep(3, RuleCompiler.compile(RULES)),
                measure.build(),
                new HashStep(4));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void stepsReadWhatOthersWrote(int separatorBytes) throws Exception {
        List<List<Object>> actual = run(separatorBytes, steps(), List.of(5, 6, 7, 8, 1, 5, 0));
        List<Object> redacted =
                Arrays.asList(
                        "A [S]",
                        null,
                        "",
                        hash("#", 16, "42") + " AND " + hash("#", 16, "7"),
                        null,
                        "\u00ff\u00c3",
                        "[S][S]");
        assertThat(actual.get(0)).isEqualTo(redacted);
        assertThat(actual.get(5)).isEqualTo(redacted);
        assertThat(actual.get(4)).isEqualTo(longs);
        assertThat(actual.get(6)).isEqualTo(texts);
        for (int row = 0; row < texts.size(); row++) {
            String text = (String) redacted.get(row);
            String twice = others.get(row) == null ? null : others.get(row).repeat(2);
            assertThat(actual.get(1).get(row))
                    .isEqualTo(text == null ? null : (long) text.length());
            assertThat(actual.get(2).get(row)).isEqualTo(longs.get(row) == null ? "none" : text);
            assertThat(actual.get(3).get(row))
                    .isEqualTo(twice == null ? null : hash("", 64, twice));
        }
    }

    @Test
    void aProgramMayHaveNoSteps() throws Exception {
        assertThat(run(1, List.of(), List.of(2, 0, 0))).isEqualTo(List.of(others, texts, texts));
    }

    @Test
    void hashesAreThoseOfActions() throws Exception {
        Random random = new Random(SEED);
        List<String> rows = random(random, 100, () -> ByteText.random(random, 30));
        try (CompiledProgram<TransformedBatch> program =
                        backend.compile(
                                new TransformPlan(
                                        new Program(
                                                List.of("a"),
                                                List.of(ColumnType.TEXT),
                                                List.of(new HashStep(0)),
                                                List.of(1),
                                                List.of(ColumnType.TEXT))));
                ColumnBatch batch =
                        TestColumns.batch(
                                backend.allocator(), 0, List.of(ColumnType.TEXT), List.of(rows));
                TransformedBatch result = program.submit(batch).await()) {
            List<Object> expected = new ArrayList<>();
            rows.forEach(row -> expected.add(row == null ? null : hash("", 64, row)));
            assertThat(TestColumns.values(result.columns(), 0)).isEqualTo(expected);
        }
    }

    @Test
    void aHashWithoutAKeyIsRefused() {
        Program program =
                new Program(
                        List.of("a"),
                        List.of(ColumnType.TEXT),
                        List.of(steps().get(0), new HashStep(0)),
                        List.of(1),
                        List.of(ColumnType.TEXT));
        assertThatThrownBy(
                        () ->
                                Steps.compile(
                                        backend,
                                        new TransformPlan(program),
                                        new byte[0],
                                        it -> Optional.empty()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "a keyed hash needs a key of at least 16 bytes: keyBytes=0; give a HashKey");
    }

    @Test
    void batchesMayHaveNoRowsAndSeveralMayBeUnderWay() throws Exception {
        try (CompiledProgram<TransformedBatch> program =
                backend.compile(new TransformPlan(program(steps(), List.of(7))))) {
            List<ColumnBatch> batches = new ArrayList<>();
            List<Submission<TransformedBatch>> submissions = new ArrayList<>();
            for (int rows : new int[] {3, 0, 7}) {
                ColumnBatch batch = batch(1, rows);
                batches.add(batch);
                submissions.add(program.submit(batch));
            }
            for (int i = 0; i < batches.size(); i++) {
                try (ColumnBatch batch = batches.get(i);
                        TransformedBatch result = submissions.get(i).await()) {
                    assertThat(result.columns().rows()).isEqualTo(batch.rows());
                    if (batch.rows() > 0) {
                        assertThat(TestColumns.values(result.columns(), 0).get(0))
                                .isEqualTo("A [S]");
                    }
                }
            }
        }
    }

    private List<List<Object>> run(int separatorBytes, List<Step> steps, List<Integer> results)
            throws Exception {
        List<List<Object>> values = new ArrayList<>();
        TransformedBatch result;
        try (CompiledProgram<TransformedBatch> program =
                        backend.compile(new TransformPlan(program(steps, results)));
                ColumnBatch batch = batch(separatorBytes, texts.size())) {
            result = program.submit(batch).await();
        }
        try (result) {
            for (int i = 0; i < results.size(); i++) {
                values.add(TestColumns.values(result.columns(), i));
            }
        }
        return values;
    }

    private static Program program(List<Step> steps, List<Integer> results) {
        List<ColumnType> all = new ArrayList<>(TYPES);
        for (Step step : steps) {
            if (step instanceof Pass pass) {
                pass.outputs().forEach(output -> all.add(output.type()));
            } else {
                all.add(ColumnType.TEXT);
            }
        }
        return new Program(
                List.of("a", "b", "c"),
                TYPES,
                steps,
                results,
                results.stream().map(all::get).toList());
    }

    private ColumnBatch batch(int separatorBytes, int rows) {
        return TestColumns.batch(
                backend.allocator(),
                separatorBytes,
                TYPES,
                List.of(texts.subList(0, rows), longs.subList(0, rows), others.subList(0, rows)));
    }

    private static String hash(String prefix, int digits, String byteText) {
        Replacer replacer =
                new Replacer(RuleSet.of(Rule.of("h", "x", Action.hash(prefix, digits, ""))), KEY);
        byte[] bytes = ByteText.bytes(byteText);
        int length = replacer.replace(0, bytes, 0, bytes.length);
        return new String(replacer.buffer(), 0, length, StandardCharsets.ISO_8859_1);
    }
}
