package io.flinkgpu.backend;

import io.flinkgpu.api.ColumnType;
import io.flinkgpu.program.OpCode;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BiPredicate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What passes do on every backend: numbers and three-valued conditions.
 *
 * <p>Covers: PassPlan.
 */
public abstract class NumberPassContract extends PassTester {

    private static final Long[] LONGS = {null, 0L, 1L, -1L, Long.MIN_VALUE, Long.MAX_VALUE};
    private static final Double[] DOUBLES = {
        null, 0.0, -0.0, 1.5, -1e300, Double.NaN, Double.POSITIVE_INFINITY, Double.MIN_VALUE
    };
    private static final Boolean[] CONDITIONS = {null, false, true};

    @Test
    void integersAreCompared() throws Exception {
        checkComparison(ColumnType.LONG, LONGS, OpCode.EQUAL_LONG, (x, y) -> x.longValue() == y);
        checkComparison(ColumnType.LONG, LONGS, OpCode.LESS_LONG, (x, y) -> x < y);
    }

    @Test
    void doublesAreComparedAsIeeeSays() throws Exception {
        checkComparison(
                ColumnType.DOUBLE, DOUBLES, OpCode.EQUAL_DOUBLE, (x, y) -> x.doubleValue() == y);
        checkComparison(ColumnType.DOUBLE, DOUBLES, OpCode.LESS_DOUBLE, (x, y) -> x < y);
    }

    private <T> void checkComparison(
            ColumnType type, T[] values, OpCode code, BiPredicate<T, T> expected) throws Exception {
        List<T> xs = new ArrayList<>();
        List<T> ys = new ArrayList<>();
        pairs(values, xs, ys);
        PassBuilder pass = new PassBuilder();
        int x = pass.number(OpCode.LOAD_NUMBER, 0, 0, 0, 0, 0);
        int y = pass.number(OpCode.LOAD_NUMBER, 0, 0, 0, 1, 0);
        pass.write(ColumnType.BOOLEAN, pass.condition(code, x, y));
        pass.write(type, pass.number(OpCode.COALESCE_NUMBER, x, y, 0, 0, 0));
        pass.write(ColumnType.BOOLEAN, pass.condition(OpCode.IS_NULL_NUMBER, x, 0));
        List<List<Object>> actual = run(pass.build(), List.of(type, type), List.of(xs, ys));
        for (int row = 0; row < xs.size(); row++) {
            T left = xs.get(row);
            T right = ys.get(row);
            boolean anyNull = left == null || right == null;
            assertThat(actual.get(0).get(row))
                    .as("%s %s %s", left, code, right)
                    .isEqualTo(anyNull ? null : expected.test(left, right));
            assertThat(actual.get(1).get(row)).isEqualTo(left == null ? right : left);
            assertThat(actual.get(2).get(row)).isEqualTo(left == null);
        }
    }

    @Test
    void conditionsHaveThreeValues() throws Exception {
        List<Boolean> xs = new ArrayList<>();
        List<Boolean> ys = new ArrayList<>();
        pairs(CONDITIONS, xs, ys);
        PassBuilder pass = new PassBuilder();
        int x = pass.condition(OpCode.LOAD_CONDITION, 0, 0, 0, 0, 0);
        int y = pass.condition(OpCode.LOAD_CONDITION, 0, 0, 0, 1, 0);
        for (OpCode code :
                List.of(
                        OpCode.AND,
                        OpCode.OR,
                        OpCode.COALESCE_CONDITION,
                        OpCode.NOT,
                        OpCode.IS_TRUE,
                        OpCode.IS_NULL_CONDITION)) {
            pass.write(ColumnType.BOOLEAN, pass.condition(code, x, y));
        }
        pass.write(ColumnType.BOOLEAN, pass.condition(OpCode.SELECT_CONDITION, x, y, y, 0, 0));
        for (int value = 0; value <= 2; value++) {
            pass.write(
                    ColumnType.BOOLEAN,
                    pass.condition(OpCode.LITERAL_CONDITION, 0, 0, 0, 0, value));
        }
        List<List<Object>> actual =
                run(pass.build(), List.of(ColumnType.BOOLEAN, ColumnType.BOOLEAN), List.of(xs, ys));
        for (int row = 0; row < xs.size(); row++) {
            Boolean left = xs.get(row);
            Boolean right = ys.get(row);
            assertThat(actual.get(0).get(row)).isEqualTo(and(left, right));
            assertThat(actual.get(1).get(row)).isEqualTo(not(and(not(left), not(right))));
            assertThat(actual.get(2).get(row)).isEqualTo(left == null ? right : left);
            assertThat(actual.get(3).get(row)).isEqualTo(not(left));
            assertThat(actual.get(4).get(row)).isEqualTo(left != null && left);
            assertThat(actual.get(5).get(row)).isEqualTo(left == null);
            assertThat(actual.get(6).get(row)).isEqualTo(right != null && right ? left : right);
            assertThat(actual.get(7).get(row)).isEqualTo(false);
            assertThat(actual.get(8).get(row)).isEqualTo(true);
            assertThat(actual.get(9).get(row)).isNull();
        }
    }

    @Test
    void numbersAreChosen() throws Exception {
        List<Boolean> conditions = List.of(true, false, true);
        PassBuilder pass = new PassBuilder();
        int condition = pass.condition(OpCode.LOAD_CONDITION, 0, 0, 0, 0, 0);
        int seven = pass.number(OpCode.LITERAL_NUMBER, 0, 0, 0, 0, 7);
        int none = pass.number(OpCode.NULL_NUMBER, 0, 0, 0, 0, 0);
        pass.write(
                ColumnType.LONG, pass.number(OpCode.SELECT_NUMBER, seven, none, condition, 0, 0));
        pass.write(
                ColumnType.DOUBLE,
                pass.number(OpCode.LITERAL_NUMBER, 0, 0, 0, 0, Double.doubleToRawLongBits(-0.0)));
        List<List<Object>> actual =
                run(pass.build(), List.of(ColumnType.BOOLEAN), List.of(conditions));
        assertThat(actual.get(0)).containsExactly(7L, null, 7L);
        assertThat(actual.get(1)).containsExactly(-0.0, -0.0, -0.0);
    }

    private static Boolean and(Boolean x, Boolean y) {
        if (x == null || y == null) {
            return Boolean.FALSE.equals(x) || Boolean.FALSE.equals(y) ? false : null;
        }
        return x && y;
    }

    private static Boolean not(Boolean x) {
        return x == null ? null : !x;
    }

    private static <T> void pairs(T[] values, List<T> xs, List<T> ys) {
        for (T x : values) {
            for (T y : values) {
                xs.add(x);
                ys.add(y);
            }
        }
    }
}
