package io.flinkgpu.backend;

import io.flinkgpu.api.expression.Expression;
import io.flinkgpu.api.expression.TextExpression;
import io.flinkgpu.backend.plan.TransformedBatch;
import io.flinkgpu.column.ColumnBatch;
import io.flinkgpu.program.Program;
import io.flinkgpu.program.ProgramCompiler;
import io.flinkgpu.testkit.ExpressionCase;
import io.flinkgpu.testkit.ExpressionOracle;
import io.flinkgpu.testkit.RandomRows;
import io.flinkgpu.testkit.TransformInput;
import io.flinkgpu.testkit.Transformer;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;

import static io.flinkgpu.api.expression.Expressions.coalesce;
import static io.flinkgpu.api.expression.Expressions.concat;
import static io.flinkgpu.api.expression.Expressions.doubleCol;
import static io.flinkgpu.api.expression.Expressions.lit;
import static io.flinkgpu.api.expression.Expressions.longCol;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * What every backend does with programs. Answers are compared with the oracle's, row for row; where they
 * differ, the smallest expression and row that do are printed. {@code -Dtransform.pairs} says how many
 * pairs of an expression and a row the random test compares, {@code -Dtransform.seed} where it starts.
 * After each test the backend closes, which fails if it still holds memory.
 *
 * <p>Covers: Program.
 */
public abstract class TransformContract extends TransformedTextContract {

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 31, 32, 33, 255, 256, 257, 1023, 1025, 20_000})
    void anyNumberOfRows(int rows) {
        check(randomRows(rows), NAME, T.length(), T.isEmpty(), longCol("n0"), T.upper());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 32, 1000})
    void allNull(int rows) {
        List<Map<String, Object>> none = Collections.nCopies(rows, Map.of());
        TransformInput input = new TransformInput(RandomRows.COLUMNS, none);
        check(input, NAME, T, T.upper(), concat(T, U), longCol("n0"), doubleCol("d0"), P);
        check(input, T.isNull(), coalesce(T, lit("none")), coalesce(T, lit("")), T.length());
        check(input, T.hashHmac(), concat(T, U).trim(), T.replace("a", "b").length());
    }

    @Test
    void noBytes() {
        byte[][] empty = new byte[1000][0];
        check(texts(empty), T, T.left(1), T.upper(), T.before(" "), T.length(), T.replace("a", ""));
        check(texts(empty), lit(""), T.isEmpty(), concat(T, T).trim(), T.hashHmac());
    }

    @Test
    void rowsOfAMegabyteAmongShortOnes() {
        byte[] ascii = new byte[1 << 20];
        Arrays.fill(ascii, (byte) 'a');
        byte[] spaces = new byte[1 << 20];
        Arrays.fill(spaces, (byte) ' ');
        byte[] invalid = new byte[1 << 20];
        Arrays.fill(invalid, (byte) 0xe2);
        byte[] wide = utf8("é€😀 ".repeat(110_000));
        byte[] late = ascii.clone();
        late[late.length - 2] = ' ';
        TransformInput input =
                texts(
                        ascii("a b"),
                        ascii,
                        spaces,
                        null,
                        wide,
                        ascii(""),
                        invalid,
                        late,
                        ascii("b"));
        check(input, T.after(" ").left(1), T.before(" "), T.length(), T.right(3));
        check(input, T.trim(), T.substring(700_000, 3), T.splitPart(" ", 100_000));
        check(input, T.upper(), T.replace("€", "EUR"));
        check(input, concat(T, lit("-"), T.trim()), T.contains("b"), T.endsWith(" a"));
        check(input, T.equalTo(T.lower()), T.matches("a*"), concat(T, T).length());
    }

    /** Where outputs are longer than all that goes in. */
    @Test
    void outputsMuchLongerThanInputs() {
        TextExpression many = T;
        for (int i = 0; i < 4; i++) {
            many = concat(many, many);
        }
        String longText = "0123456789€".repeat(100);
        check(randomRows(200), many, T.replace("a", longText));
        check(randomRows(500), lit(longText), T.isNull(), concat(T, lit(longText)));
    }

    @Test
    void namesByVisibility() {
        String[][] rows = {
            {"Ada Lovelace", "public", "L Ada"},
            {"Ada Lovelace", "private", "X X"},
            {"Cher", "public", "C Cher"},
            {"", "public", " "},
            {"A  B", "public", "  A"},
            {"Ada Lovelace", "nonpublic", "X X"},
            {null, "public", null},
            {null, "private", "X X"},
            {"Ada Lovelace", null, "X X"},
            {"É €", "public", "€ É"}
        };
        for (String[] row : rows) {
            TransformInput input = texts(row[0] == null ? null : utf8(row[0]));
            input.rows().get(0).put("t1", row[1] == null ? null : utf8(row[1]));
            Object answer =
                    new ExpressionOracle(ExpressionCase.HASH_KEY)
                            .evaluate(NAME, input.rows().get(0));
            assertThat(answer).isEqualTo(row[2] == null ? null : utf8(row[2]));
            check(input, NAME);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 7, 64, 302})
    void answersDoNotDependOnBatchCuts(int rowsPerBatch) {
        Transformer inParts =
                (program, input, shape) -> {
                    List<List<Object>> all = new ArrayList<>();
                    program.results().forEach(result -> all.add(new ArrayList<>()));
                    try (CompiledProgram<TransformedBatch> compiled = compile(program)) {
                        for (int from = 0; from < input.rows().size(); from += rowsPerBatch) {
                            int to = Math.min(input.rows().size(), from + rowsPerBatch);
                            List<List<Object>> part = run(compiled, program, input.part(from, to));
                            for (int i = 0; i < part.size(); i++) {
                                all.get(i).addAll(part.get(i));
                            }
                        }
                    }
                    return all;
                };
        check(inParts, randomRows(303), NAME, T.upper(), concat(T, U).length(), P);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 8, 13, 500})
    void partsOfABatch(int cutFrom) {
        for (int separatorBytes = 0; separatorBytes <= 1; separatorBytes++) {
            ExpressionCase made =
                    new ExpressionCase(
                            List.of(NAME, T, U.upper(), P, longCol("n1"), doubleCol("d0")),
                            randomRows(1003),
                            new Transformer.Shape(separatorBytes, cutFrom));
            check(made, this::transform);
        }
    }

    @Test
    void severalProgramsAndBatchesAtOnce() throws Exception {
        List<List<Expression>> expressions =
                List.of(
                        List.of(NAME, T.length(), longCol("n0")),
                        List.of(concat(T, U).upper().left(5), T.hashHmac()));
        Program first = ProgramCompiler.compile(RandomRows.COLUMNS, expressions.get(0));
        Program second = ProgramCompiler.compile(RandomRows.COLUMNS, expressions.get(1));
        List<TransformInput> inputs = new ArrayList<>();
        List<ColumnBatch> batches = new ArrayList<>();
        List<Submission<TransformedBatch>> submissions = new ArrayList<>();
        try (CompiledProgram<TransformedBatch> one = compile(first);
                CompiledProgram<TransformedBatch> other = compile(second)) {
            for (int i = 0; i < 6; i++) {
                List<String> columns = (i % 3 == 0 ? second : first).columns();
                inputs.add(randomRows(1 + 300 * (5 - i)));
                batches.add(inputs.get(i).batch(backend.allocator(), columns, 0));
                submissions.add((i % 3 == 0 ? other : one).submit(batches.get(i)));
            }
            for (int i = 0; i < 6; i++) {
                try (ColumnBatch batch = batches.get(i);
                        TransformedBatch result = submissions.get(i).await()) {
                    assertThat(result.columns().rows()).isEqualTo(batch.rows());
                    checkResult(inputs.get(i), expressions.get(i % 3 == 0 ? 1 : 0), result);
                }
            }
        }
    }

    @Test
    void batchesOfVerySizesOneAfterTheOther() throws Exception {
        List<Expression> expressions = List.of(NAME, T.replace("a", "<...>"), P);
        Program program = ProgramCompiler.compile(RandomRows.COLUMNS, expressions);
        try (CompiledProgram<TransformedBatch> compiled = compile(program)) {
            for (int rows : new int[] {1, 5000, 3, 0, 2000, 64, 65, 1, 0}) {
                TransformInput input = randomRows(rows);
                try (ColumnBatch batch = input.batch(backend.allocator(), program.columns(), 0);
                        TransformedBatch result = compiled.submit(batch).await()) {
                    checkResult(input, expressions, result);
                }
            }
        }
    }

    @Test
    void theInputIsNotWrittenToAndTheResultOutlivesIt() throws Exception {
        TransformInput input = randomRows(1000);
        List<Expression> expressions = List.of(T, NAME, T.upper(), longCol("n0"), P);
        Program program = ProgramCompiler.compile(RandomRows.COLUMNS, expressions);
        TransformedBatch result;
        try (CompiledProgram<TransformedBatch> compiled = compile(program);
                ColumnBatch batch = input.batch(backend.allocator(), program.columns(), 0)) {
            compiled.submit(batch).await().close();
            result = compiled.submit(batch).await();
        }
        try (result) {
            checkResult(input, expressions, result);
            assertThat(result.deviceNanos()).isPositive();
        }
    }
}
