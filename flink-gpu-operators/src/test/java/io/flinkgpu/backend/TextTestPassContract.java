package io.flinkgpu.backend;

import io.flinkgpu.api.ColumnType;
import io.flinkgpu.program.OpCode;
import io.flinkgpu.program.Operand;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.BiPredicate;

import static io.flinkgpu.backend.PassBuilder.column;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * What passes do on every backend: what they tell of texts.
 *
 * <p>Covers: PassPlan.
 */
public abstract class TextTestPassContract extends PassTester {

    private static final List<ColumnType> TEXT = List.of(ColumnType.TEXT);
    private static final List<ColumnType> TWO_TEXTS = List.of(ColumnType.TEXT, ColumnType.TEXT);
    private static final int ROWS = 1500;

    private final Random random = new Random(SEED);
    private final List<String> texts = random(random, ROWS, () -> ByteText.random(random, 6));

    @Test
    void testsOfTwoTexts() throws Exception {
        List<String> others = random(random, ROWS, () -> ByteText.random(random, 2));
        PassBuilder pass = new PassBuilder();
        List<OpCode> codes =
                List.of(OpCode.EQUAL_TEXT, OpCode.CONTAINS, OpCode.STARTS_WITH, OpCode.ENDS_WITH);
        for (OpCode code : codes) {
            pass.write(ColumnType.BOOLEAN, pass.test(code, column(0), column(1)));
        }
        List<List<Object>> actual = run(pass.build(), TWO_TEXTS, List.of(texts, others));
        checkBoth(actual.get(0), others, String::equals);
        checkBoth(actual.get(1), others, String::contains);
        checkBoth(actual.get(2), others, String::startsWith);
        checkBoth(actual.get(3), others, String::endsWith);
    }

    @Test
    void textsOfEveryShortLengthAreEqualInAllBytesOrNot() throws Exception {
        List<String> some = new ArrayList<>();
        List<String> others = new ArrayList<>();
        for (int length = 0; length <= 40; length++) {
            for (int different = 0; different <= length; different++) {
                char[] other = "x".repeat(length).toCharArray();
                if (different < length) {
                    other[different] = 'y';
                }
                some.add("x".repeat(length));
                others.add(new String(other));
            }
        }
        PassBuilder pass = new PassBuilder();
        pass.write(ColumnType.BOOLEAN, pass.test(OpCode.EQUAL_TEXT, column(0), column(1)));
        List<Object> actual = run(pass.build(), TWO_TEXTS, List.of(some, others)).get(0);
        for (int row = 0; row < some.size(); row++) {
            assertThat(actual.get(row)).isEqualTo(some.get(row).equals(others.get(row)));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a", "ab", "hello w", "hello wo", "hello world "})
    void testsAgainstALiteral(String what) throws Exception {
        PassBuilder pass = new PassBuilder();
        Operand literal = pass.literal(what);
        pass.write(ColumnType.BOOLEAN, pass.test(OpCode.EQUAL_TEXT, column(0), literal));
        pass.write(ColumnType.BOOLEAN, pass.test(OpCode.CONTAINS, column(0), literal));
        pass.write(ColumnType.BOOLEAN, pass.test(OpCode.STARTS_WITH, column(0), literal));
        pass.write(ColumnType.BOOLEAN, pass.test(OpCode.ENDS_WITH, column(0), literal));
        List<List<Object>> actual = run(pass.build(), TEXT, List.of(texts));
        List<String> others = Collections.nCopies(ROWS, what);
        checkBoth(actual.get(0), others, String::equals);
        checkBoth(actual.get(1), others, String::contains);
        checkBoth(actual.get(2), others, String::startsWith);
        checkBoth(actual.get(3), others, String::endsWith);
    }

    @Test
    void emptyNullAndLength() throws Exception {
        PassBuilder pass = new PassBuilder();
        pass.write(ColumnType.BOOLEAN, pass.test(OpCode.IS_EMPTY, column(0), null));
        pass.write(ColumnType.BOOLEAN, pass.test(OpCode.IS_NULL_TEXT, column(0), null));
        pass.write(ColumnType.LONG, pass.length(column(0)));
        List<List<Object>> actual = run(pass.build(), TEXT, List.of(texts));
        for (int row = 0; row < ROWS; row++) {
            String text = texts.get(row);
            boolean isNull = text == null;
            assertThat(actual.get(0).get(row)).isEqualTo(isNull ? null : text.isEmpty());
            assertThat(actual.get(1).get(row)).isEqualTo(isNull);
            assertThat(actual.get(2).get(row))
                    .isEqualTo(isNull ? null : (long) ByteText.codePoints(text).size());
        }
    }

    private void checkBoth(
            List<Object> actual, List<String> others, BiPredicate<String, String> expected) {
        for (int row = 0; row < ROWS; row++) {
            String text = texts.get(row);
            String other = others.get(row);
            assertThat(actual.get(row))
                    .as("row %d, '%s', '%s', seed %d", row, text, other, SEED)
                    .isEqualTo(text == null || other == null ? null : expected.test(text, other));
        }
    }
}
