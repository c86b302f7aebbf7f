package io.flinkgpu.backend.cpu.row;

import io.flinkgpu.api.ErrorValues;
import io.flinkgpu.api.expression.Columns;
import io.flinkgpu.api.expression.Expression;
import io.flinkgpu.api.expression.TextExpression;
import io.flinkgpu.backend.Backend;
import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.CompiledProgram;
import io.flinkgpu.backend.RowProgram;
import io.flinkgpu.backend.cpu.CpuBackend;
import io.flinkgpu.backend.plan.TransformPlan;
import io.flinkgpu.backend.plan.TransformedBatch;
import io.flinkgpu.column.ColumnBatch;
import io.flinkgpu.column.ResultReader;
import io.flinkgpu.column.RowBatchBuilder;
import io.flinkgpu.column.RowReader;
import io.flinkgpu.column.RowValues;
import io.flinkgpu.program.Program;
import io.flinkgpu.program.ProgramCompiler;
import io.flinkgpu.testkit.RandomExpressions;
import io.flinkgpu.testkit.RandomRows;
import io.flinkgpu.testkit.TestRequests;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

import static io.flinkgpu.api.expression.Expressions.col;
import static io.flinkgpu.api.expression.Expressions.concat;
import static io.flinkgpu.api.expression.Expressions.lit;
import static io.flinkgpu.api.expression.Expressions.longCol;
import static io.flinkgpu.api.expression.Expressions.when;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Records one at a time against the same records in columns, Strings with unpaired surrogates among
 * them. {@code -Dtransform.pairs} says how many pairs of an expression and a row the random test
 * compares, {@code -Dtransform.seed} where it starts.
 *
 * <p>Covers: RowProgram.
 */
class RowProgramTest {

    private static final long SEED = Long.getLong("transform.seed", 20_261_121);
    private static final long PAIRS = Long.getLong("transform.pairs", 20_000);
    private static final int ROWS = 50;

    private final Backend backend = CpuBackend.open(TestRequests.of(256L << 20));

    @AfterEach
    void nothingIsHeld() {
        backend.close();
    }

    @Test
    void sameAsInColumns() throws Exception {
        long pairs = 0;
        long rows = 0;
        long inColumns = 0;
        for (long seed = SEED; pairs < PAIRS; seed++) {
            Random random = new Random(seed);
            List<Expression> expressions =
                    new RandomExpressions(random).several(1 + random.nextInt(3), 3);
            Program program;
            try {
                program = ProgramCompiler.compile(RandomRows.COLUMNS, expressions);
            } catch (IllegalArgumentException tooLarge) {
                continue;
            }
            var rowProgram = rows(program);
            if (rowProgram.isEmpty() || program.columns().isEmpty()) {
                continue;
            }
            RowProgramRunner runner =
                    new RowProgramRunner(rowProgram.get(), program, RandomRows.COLUMNS);
            List<Map<String, Object>> records = records(random);
            List<Object[]> expected = inColumns(program, records);
            for (int row = 0; row < ROWS; row++) {
                Object[] results = runner.run(records.get(row));
                rows++;
                inColumns += results == null ? 1 : 0;
                if (results != null) {
                    assertThat(results)
                            .as(
                                    "seed=%d, expressions=%s, row=%s",
                                    seed, expressions, records.get(row))
                            .isEqualTo(expected.get(row));
                }
            }
            pairs += (long) ROWS * expressions.size();
        }
        assertThat(inColumns).as("in columns, of %d rows", rows).isBetween(1L, rows / 5);
    }

    private Optional<RowProgram> rows(Program program) {
        try (CompiledProgram<TransformedBatch> compiled =
                backend.compile(new TransformPlan(program))) {
            return compiled.rows();
        } catch (BackendException e) {
            throw new AssertionError(e);
        }
    }

    /** Texts of Strings, a third of them with unpaired surrogates. */
    private static List<Map<String, Object>> records(Random random) {
        List<Map<String, Object>> records = new ArrayList<>();
        for (Map<String, Object> row : new RandomRows(random).rows(ROWS).rows()) {
            Map<String, Object> record = new HashMap<>(row);
            record.replaceAll(
                    (name, value) -> value instanceof byte[] bytes ? text(bytes, random) : value);
            records.add(record);
        }
        return records;
    }

    private static String text(byte[] bytes, Random random) {
        StringBuilder text = new StringBuilder(new String(bytes, StandardCharsets.UTF_8));
        for (int more = random.nextInt(3) > 0 ? 0 : 1 + random.nextInt(3); more > 0; more--) {
            char surrogate = (char) (Character.MIN_SURROGATE + random.nextInt(0x800));
            text.insert(random.nextInt(text.length() + 1), surrogate);
        }
        return text.toString();
    }

    private List<Object[]> inColumns(Program program, List<Map<String, Object>> records)
            throws Exception {
        RowReader<Map<String, Object>> reader =
                new RowReader<>(
                        RowProgramRunner.columnsOf(RandomRows.COLUMNS),
                        program.columns(),
                        ErrorValues.HIDDEN);
        RowValues values = new RowValues(program.columns().size());
        List<Object[]> all = new ArrayList<>();
        try (CompiledProgram<TransformedBatch> compiled =
                        backend.compile(new TransformPlan(program));
                RowBatchBuilder builder =
                        new RowBatchBuilder(
                                backend.allocator(),
                                records.size(),
                                1 << 20,
                                program.columns(),
                                program.types())) {
            for (Map<String, Object> record : records) {
                reader.read(record, values);
                assertThat(builder.append(values)).isTrue();
            }
            try (ColumnBatch batch = builder.build();
                    TransformedBatch result = compiled.submit(batch).await()) {
                for (int row = 0; row < records.size(); row++) {
                    Object[] fields = new Object[program.resultTypes().size()];
                    for (int i = 0; i < fields.length; i++) {
                        fields[i] =
                                new ResultReader(result.columns(), i, program.resultTypes().get(i))
                                        .get(row);
                    }
                    all.add(fields);
                }
            }
        }
        return all;
    }

    @Test
    void aCutWithinAnUnpairedSurrogateNeedsColumns() {
        assertThat(run(col("t").left(1), "\ud800a")).isNull();
        assertThat(run(col("t").left(3), "\ud800a")).containsExactly("\ud800");
        assertThat(run(col("t").left(4), "\ud800a")).containsExactly("\ud800a");
        assertThat(run(col("t").right(2), "a\udc00")).isNull();
        assertThat(run(col("t").length(), "\ud800\ud83d\ude00")).containsExactly(4L);
    }

    @Test
    void unpairedSurrogatesThatMeetNeedColumns() {
        assertThat(run(concat(col("t"), lit("-"), col("u")), "\ud83d", "\ude00"))
                .containsExactly("\ud83d-\ude00");
        assertThat(run(concat(col("t"), col("u")), "\ud83d", "\ude00")).isNull();
        assertThat(run(col("t").contains(col("u")), "😀", "\ud83d")).isNull();
        assertThat(run(col("t").endsWith(col("u")), "😀", "\ude00")).isNull();
    }

    @Test
    void aLongTextToFindNeedsColumns() {
        String text = "a".repeat(1 << 20);
        assertThat(run(col("t").contains(col("u")), text, "a".repeat(64) + "b")).isNull();
        assertThat(run(col("t").contains(col("u")), text, "a".repeat(63) + "b"))
                .containsExactly(false);
    }

    @Test
    void aHugeTextNeedsColumns() {
        TextExpression replaced = col("t").replace("a", "b".repeat(1 << 12));
        assertThat((String) run(replaced, "a".repeat(1 << 12))[0]).hasSize(1 << 24);
        assertThat(run(replaced, "a".repeat((1 << 12) + 1))).isNull();
        assertThat(run(replaced, "a")).containsExactly("b".repeat(1 << 12));
    }

    @Test
    void aTextThatIsAColumnIsTheSameObject() {
        String text = new String("text");
        assertThat(run(col("t"), text)[0]).isSameAs(text);
        assertThat(run(when(col("u").isNull()).then(col("t")).otherwise(lit("")), text)[0])
                .isSameAs(text);
    }

    @Test
    void whatIsNotTakenIsNotComputed() {
        TextExpression initial = concat(lit("<"), col("t").left(1));
        TextExpression cut = when(col("u").isNull()).then(lit("none")).otherwise(initial);
        assertThat(run(cut, "\ud800")).containsExactly("none");
        assertThat(run(cut, "\ud800", "")).isNull();
    }

    @Test
    void programsThatRedactOrHashNeedBatches() {
        Program program =
                ProgramCompiler.compile(
                        RandomRows.COLUMNS, List.of(col("t0").hashHmac(), longCol("n0")));
        assertThat(rows(program)).isEmpty();
    }

    @Test
    void namesTheColumnThatCannotBeRead() {
        Columns<String> columns =
                Columns.<String>empty()
                        .text("t", text -> text)
                        .longs("n", (String text) -> Long.parseLong(text));
        Program program = ProgramCompiler.compile(columns.types(), List.of(col("t"), longCol("n")));
        RowProgram rows = rows(program).orElseThrow();
        RowReader<String> reader = new RowReader<>(columns, program.columns(), ErrorValues.HIDDEN);
        assertThat(rows.run(reader, "7")).containsExactly("7", 7L);
        assertThatThrownBy(() -> rows.run(reader, "x"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageStartingWith("a column could not be read of a record: column='n'")
                .hasMessageContaining("exception=java.lang.NumberFormatException (hidden: ");
        assertThat(rows.run(reader, "8")).containsExactly("8", 8L);
    }

    /** Of texts {@code t} and {@code u}, the latter null if only one is given. */
    private Object[] run(Expression expression, String... texts) {
        Columns<String[]> columns =
                Columns.<String[]>empty()
                        .text("t", row -> row[0])
                        .text("u", row -> row.length > 1 ? row[1] : null);
        Program program = ProgramCompiler.compile(columns.types(), List.of(expression));
        RowReader<String[]> reader =
                new RowReader<>(columns, program.columns(), ErrorValues.HIDDEN);
        return rows(program).orElseThrow().run(reader, texts);
    }
}
