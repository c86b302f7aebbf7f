package io.flinkgpu.backend;

import io.flinkgpu.api.ColumnType;
import io.flinkgpu.backend.plan.PassPlan;
import io.flinkgpu.backend.plan.TransformedBatch;
import io.flinkgpu.column.ColumnBatch;
import io.flinkgpu.program.OpCode;
import io.flinkgpu.program.Operand;
import io.flinkgpu.program.TextPart.Change;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.UnaryOperator;

import static io.flinkgpu.backend.PassBuilder.column;
import static io.flinkgpu.backend.PassBuilder.part;
import static io.flinkgpu.backend.PassBuilder.replacing;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * What passes do on every backend: texts, and how they are written.
 *
 * <p>Covers: Pass.
 */
public abstract class PassContract extends PassTester {

    private static final List<ColumnType> TEXT = List.of(ColumnType.TEXT);
    private static final List<ColumnType> TWO_TEXTS = List.of(ColumnType.TEXT, ColumnType.TEXT);
    private static final int ROWS = 1500;

    private final Random random = new Random(SEED);
    private final List<String> texts = random(random, ROWS, () -> ByteText.random(random, 6));

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 5, 1L << 40})
    void substrings(long number) throws Exception {
        int[] counts = {1, 3, Integer.MAX_VALUE};
        PassBuilder pass = new PassBuilder();
        for (int count : counts) {
            pass.writeText(part(pass.text(OpCode.SUBSTRING, column(0), null, 0, count, number)));
        }
        List<List<Object>> actual = run(pass.build(), TEXT, List.of(texts));
        for (int i = 0; i < counts.length; i++) {
            long to = number + counts[i];
            check(actual.get(i), text -> ByteText.substring(text, number, to));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 9, Integer.MAX_VALUE})
    void leftAndRight(int count) throws Exception {
        PassBuilder pass = new PassBuilder();
        pass.writeText(part(pass.text(OpCode.LEFT, column(0), null, 0, count, 0)));
        pass.writeText(part(pass.text(OpCode.RIGHT, column(0), null, 0, count, 0)));
        List<List<Object>> actual = run(pass.build(), TEXT, List.of(texts));
        check(actual.get(0), text -> ByteText.substring(text, 1, 1L + count));
        check(actual.get(1), text -> ByteText.right(text, count));
    }

    @ParameterizedTest
    @ValueSource(strings = {",", "ab", "hello world ", "\u00c3\u00a9", "\0"})
    void splits(String separator) throws Exception {
        PassBuilder pass = new PassBuilder();
        Operand literal = pass.literal(separator);
        Operand[] both = pass.split(column(0), literal, true, true);
        Operand before = pass.split(column(0), literal, true, false)[0];
        Operand after = pass.split(column(0), literal, false, true)[1];
        for (Operand half : List.of(both[0], both[1], before, after)) {
            pass.writeText(part(half));
        }
        for (int number = 1; number <= 4; number++) {
            pass.writeText(part(pass.text(OpCode.SPLIT_PART, column(0), literal, 0, number, 0)));
        }
        List<List<Object>> actual = run(pass.build(), TEXT, List.of(texts));
        for (int i = 0; i < 4; i += 2) {
            check(actual.get(i), text -> ByteText.splitPart(text, separator, 1));
            check(
                    actual.get(i + 1),
                    text -> {
                        int at = text.indexOf(separator);
                        return at < 0 ? text : text.substring(at + separator.length());
                    });
        }
        for (int number = 1; number <= 4; number++) {
            int part = number;
            check(actual.get(3 + number), text -> ByteText.splitPart(text, separator, part));
        }
    }

    @Test
    void trims() throws Exception {
        PassBuilder pass = new PassBuilder();
        pass.writeText(part(pass.text(OpCode.TRIM, column(0), null, 0, 0, 0)));
        check(run(pass.build(), TEXT, List.of(texts)).get(0), ByteText::trim);
    }

    @Test
    void changedCase() throws Exception {
        PassBuilder pass = new PassBuilder();
        pass.writeText(part(-1, true, column(0), Change.UPPER));
        pass.writeText(part(-1, true, column(0), Change.LOWER));
        List<List<Object>> actual = run(pass.build(), TEXT, List.of(texts));
        check(actual.get(0), text -> ByteText.map(text, Character::toUpperCase));
        check(actual.get(1), text -> ByteText.map(text, Character::toLowerCase));
    }

    @Test
    void caseOfEveryCodePoint() throws Exception {
        List<String> rows = new ArrayList<>();
        StringBuilder row = new StringBuilder();
        for (int codePoint = 0; codePoint <= Character.MAX_CODE_POINT; codePoint++) {
            if (codePoint < 0xd800 || codePoint > 0xdfff) {
                row.appendCodePoint(codePoint);
            }
            if (codePoint % 1000 == 0 || codePoint == Character.MAX_CODE_POINT) {
                rows.add(ByteText.of(row.toString()));
                row.setLength(0);
            }
        }
        PassBuilder pass = new PassBuilder();
        pass.writeText(part(-1, true, column(0), Change.UPPER));
        pass.writeText(part(-1, true, column(0), Change.LOWER));
        pass.write(ColumnType.LONG, pass.length(column(0)));
        List<List<Object>> actual = run(pass.build(), TEXT, List.of(rows));
        for (int i = 0; i < rows.size(); i++) {
            String text = rows.get(i);
            assertThat(actual.get(0).get(i)).isEqualTo(ByteText.map(text, Character::toUpperCase));
            assertThat(actual.get(1).get(i)).isEqualTo(ByteText.map(text, Character::toLowerCase));
            assertThat(actual.get(2).get(i)).isEqualTo((long) ByteText.codePoints(text).size());
        }
    }

    @Test
    void replacements() throws Exception {
        String[][] pairs = {
            {"a", ""}, {"b", "bb"}, {",", ", and then "}, {"ab", "ba"}, {"\u00c3\u00a9", "e"}
        };
        PassBuilder pass = new PassBuilder();
        for (String[] pair : pairs) {
            pass.writeText(replacing(column(0), pass.literal(pair[0]), pass.literal(pair[1])));
        }
        List<List<Object>> actual = run(pass.build(), TEXT, List.of(texts));
        for (int i = 0; i < pairs.length; i++) {
            String[] pair = pairs[i];
            check(actual.get(i), text -> text.replace(pair[0], pair[1]));
        }
    }

    @Test
    void piecesAreWrittenInOrderWhereTheirGuardsAllow() throws Exception {
        PassBuilder pass = new PassBuilder();
        int isComma = pass.test(OpCode.CONTAINS, column(0), pass.literal(","));
        int guard = pass.condition(OpCode.IS_TRUE, isComma, 0);
        pass.writeText(
                part(pass.literal("<")),
                part(guard, true, column(0), Change.NONE),
                part(guard, false, column(1), Change.UPPER),
                part(pass.literal(">")));
        pass.writeText();
        pass.writeText(
                part(guard, true, column(0), Change.NONE),
                part(guard, false, column(1), Change.NONE),
                part(pass.literal(">")));
        List<String> others = random(random, ROWS, () -> ByteText.random(random, 3));
        List<List<Object>> actual = run(pass.build(), TWO_TEXTS, List.of(texts, others));
        for (int row = 0; row < ROWS; row++) {
            String text = texts.get(row);
            boolean first = text != null && text.contains(",");
            String other = others.get(row);
            String upper = other == null ? null : ByteText.map(other, Character::toUpperCase);
            String chosen = first ? text : upper;
            assertThat(actual.get(0).get(row))
                    .isEqualTo(chosen == null ? null : "<" + chosen + ">");
            assertThat(actual.get(1).get(row)).isEqualTo("");
            String either = first ? text : other;
            assertThat(actual.get(2).get(row)).isEqualTo(either == null ? null : either + ">");
        }
    }

    @Test
    void chosenTexts() throws Exception {
        List<String> others = random(random, ROWS, () -> ByteText.random(random, 3));
        PassBuilder pass = new PassBuilder();
        int contains = pass.test(OpCode.CONTAINS, column(0), pass.literal("a"));
        pass.writeText(part(pass.text(OpCode.SELECT_TEXT, column(0), column(1), contains, 0, 0)));
        pass.writeText(part(pass.text(OpCode.COALESCE_TEXT, column(0), column(1), 0, 0, 0)));
        Operand none = pass.text(OpCode.NULL_TEXT, null, null, 0, 0, 0);
        pass.writeText(part(pass.text(OpCode.COALESCE_TEXT, none, column(0), 0, 0, 0)));
        pass.writeText(part(none));
        List<List<Object>> actual = run(pass.build(), TWO_TEXTS, List.of(texts, others));
        assertThat(actual.get(2)).isEqualTo(texts);
        assertThat(actual.get(3)).containsOnlyNulls();
        for (int row = 0; row < ROWS; row++) {
            String text = texts.get(row);
            boolean isTrue = text != null && text.contains("a");
            assertThat(actual.get(0).get(row)).isEqualTo(isTrue ? text : others.get(row));
            assertThat(actual.get(1).get(row)).isEqualTo(text != null ? text : others.get(row));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 7, 8, 9, 255, 511, 512, 513, 1025, 5000})
    void anyNumberOfRows(int rows) throws Exception {
        List<String> some = random(random, rows, () -> ByteText.random(random, 4));
        PassBuilder pass = new PassBuilder();
        pass.writeText(part(pass.text(OpCode.TRIM, column(0), null, 0, 0, 0)), part(column(0)));
        pass.write(ColumnType.LONG, pass.length(column(0)));
        pass.write(ColumnType.BOOLEAN, pass.test(OpCode.IS_EMPTY, column(0), null));
        List<List<Object>> actual = run(pass.build(), TEXT, List.of(some));
        for (int row = 0; row < rows; row++) {
            String text = some.get(row);
            boolean isNull = text == null;
            assertThat(actual.get(0).get(row))
                    .isEqualTo(isNull ? null : ByteText.trim(text) + text);
            assertThat(actual.get(1).get(row))
                    .isEqualTo(isNull ? null : (long) ByteText.codePoints(text).size());
            assertThat(actual.get(2).get(row)).isEqualTo(isNull ? null : text.isEmpty());
        }
    }

    @Test
    void longRowsTakeTimeLinearInTheirLength() throws Exception {
        String as = "a".repeat(300_000);
        List<String> rows = List.of("x", as, "y", as + "b");
        List<String> what = List.of("x", "a".repeat(100_000) + "b", "z", "a".repeat(100_000) + "b");
        PassBuilder pass = new PassBuilder();
        pass.write(ColumnType.BOOLEAN, pass.test(OpCode.CONTAINS, column(0), column(1)));
        pass.writeText(part(pass.split(column(0), column(1), true, false)[0]));
        pass.writeText(part(-1, true, column(0), Change.UPPER));
        List<List<Object>> actual = run(pass.build(), TWO_TEXTS, List.of(rows, what));
        assertThat(actual.get(0)).containsExactly(true, false, false, true);
        assertThat(actual.get(1)).containsExactly("", as, "y", "a".repeat(200_000));
        assertThat(actual.get(2)).element(1).isEqualTo("A".repeat(300_000));
    }

    @Test
    void aPassReadsWhatOthersWrote() throws Exception {
        PassBuilder first = new PassBuilder();
        first.writeText(part(column(0)), part(-1, true, column(0), Change.UPPER));
        first.write(ColumnType.BOOLEAN, first.test(OpCode.IS_NULL_TEXT, column(0), null));
        PassBuilder second = new PassBuilder();
        int isNull = second.condition(OpCode.LOAD_CONDITION, 0, 0, 0, 2, 0);
        second.write(ColumnType.LONG, second.length(column(1)));
        second.writeText(
                part(isNull, true, second.literal("null"), Change.NONE),
                part(isNull, false, column(1), Change.LOWER));
        PassPlan plan =
                new PassPlan(TEXT, List.of(first.build(), second.build()), List.of(4, 1, 3));
        try (CompiledProgram<TransformedBatch> program = backend.compile(plan)) {
            TransformedBatch result;
            try (ColumnBatch batch =
                    TestColumns.batch(backend.allocator(), 1, TEXT, List.of(texts))) {
                result = program.submit(batch).await();
                assertThat(TestColumns.values(batch, 0)).isEqualTo(texts);
            }
            try (result) {
                for (int row = 0; row < ROWS; row++) {
                    String text = texts.get(row);
                    String twice =
                            text == null ? null : text + ByteText.map(text, Character::toUpperCase);
                    checkRow(result, row, twice);
                }
            }
        }
    }

    private static void checkRow(TransformedBatch result, int row, String twice) {
        ColumnBatch columns = result.columns();
        String lower = twice == null ? "null" : ByteText.map(twice, Character::toLowerCase);
        assertThat(columns.text(0).copyRow(row)).isEqualTo(ByteText.bytes(lower));
        assertThat(columns.vector(1).isNull(row)).isEqualTo(twice == null);
        assertThat(columns.vector(2).isNull(row)).isEqualTo(twice == null);
        if (twice != null) {
            assertThat(columns.text(1).copyRow(row)).isEqualTo(ByteText.bytes(twice));
            assertThat(columns.numbers(2).wordAt(row)).isEqualTo(ByteText.codePoints(twice).size());
        }
    }

    private void check(List<Object> actual, UnaryOperator<String> expected) {
        for (int row = 0; row < ROWS; row++) {
            String text = texts.get(row);
            assertThat(actual.get(row))
                    .as("row %d, '%s', seed %d", row, text, SEED)
                    .isEqualTo(text == null ? null : expected.apply(text));
        }
    }
}
