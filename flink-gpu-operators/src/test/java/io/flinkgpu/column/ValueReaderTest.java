package io.flinkgpu.column;

import io.flinkgpu.api.Aggregates;
import io.flinkgpu.api.ColumnType;
import io.flinkgpu.api.ErrorDetail;
import io.flinkgpu.api.ErrorValues;
import io.flinkgpu.api.ValueGetter;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.math.BigDecimal;
import java.math.BigInteger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Covers: ValueReader.
 */
class ValueReaderTest {

    @Test
    void primitivesAreWords() throws BadValueException {
        Aggregates<Numbers> aggregates =
                Aggregates.of((Numbers n) -> n.i)
                        .and((Numbers n) -> n.l)
                        .and((Numbers n) -> n.f)
                        .and((Numbers n) -> n.d);
        RowValues row = read(aggregates, new Numbers(-3, Long.MIN_VALUE, 0.1f, -0.0));
        assertThat(row.word(0)).isEqualTo(-3);
        assertThat(row.word(1)).isEqualTo(Long.MIN_VALUE);
        assertThat(row.word(2)).isEqualTo(Double.doubleToLongBits(0.1f));
        assertThat(row.word(3)).isEqualTo(Long.MIN_VALUE);
    }

    @Test
    void nansAreOne() throws BadValueException {
        double odd = Double.longBitsToDouble(0xfff0_0000_0000_0001L);
        Aggregates<Numbers> aggregates =
                Aggregates.of((Numbers n) -> n.f)
                        .and((Numbers n) -> n.d)
                        .and((Numbers n) -> (Double) n.d, ColumnType.DOUBLE);
        RowValues row = read(aggregates, new Numbers(0, 0, Float.intBitsToFloat(-1), odd));
        for (int column = 0; column < 3; column++) {
            assertThat(row.word(column)).isEqualTo(0x7ff8_0000_0000_0000L);
        }
    }

    @Test
    void boxedNumbersCanBeNull() throws BadValueException {
        assertThat(boxed(7, ColumnType.INT).word(0)).isEqualTo(7);
        assertThat(boxed(7L, ColumnType.LONG).word(0)).isEqualTo(7);
        assertThat(boxed(1.5f, ColumnType.FLOAT).word(0)).isEqualTo(Double.doubleToLongBits(1.5));
        assertThat(boxed(null, ColumnType.decimal(3, 1)).isNull(0)).isTrue();
        assertThat(boxed(null, ColumnType.INT).isNull(0)).isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "1.23, 123", "-9.99, -999", "0, 0", "0E+1000000000, 0", "0E-1000000000, 0",
        "1.2300000, 123", "1E-2, 1", "9, 900", "90E-1, 900", "0.0100000000000000000000000, 1"
    })
    void decimalsAreUnscaled(BigDecimal value, long unscaled) throws BadValueException {
        assertThat(boxed(value, ColumnType.decimal(3, 2)).word(0)).isEqualTo(unscaled);
    }

    @ParameterizedTest
    @CsvSource({"10", "-99.9", "1E+1000000000", "1E+18", "123456789012345678901234567890"})
    void decimalsWithTooManyDigitsAreBad(BigDecimal value) {
        assertThatThrownBy(() -> boxed(value, ColumnType.decimal(3, 2)))
                .isInstanceOf(BadValueException.class)
                .hasMessage(
                        "a decimal must not have more digits than declared: column='x', value="
                                + value
                                + ", type=DECIMAL(3, 2); declare a greater precision");
    }

    @ParameterizedTest
    @CsvSource({"1.234", "-0.001", "1E-1000000000", "0.0100000000000000000000001"})
    void decimalsAreNeverRounded(BigDecimal value) {
        assertThatThrownBy(() -> boxed(value, ColumnType.decimal(3, 2)))
                .isInstanceOf(BadValueException.class)
                .hasMessage(
                        "a decimal must not have more digits behind the point than declared:"
                                + " column='x', value="
                                + value
                                + ", type=DECIMAL(3, 2); round it in the getter or declare a"
                                + " greater scale");
    }

    @Test
    void allDigitsOfTheWidestDecimalFit() throws BadValueException {
        BigDecimal greatest = new BigDecimal(BigInteger.TEN.pow(18).subtract(BigInteger.ONE), 18);
        assertThat(boxed(greatest.negate(), ColumnType.decimal(18, 18)).word(0))
                .isEqualTo(-999_999_999_999_999_999L);
    }

    @Test
    void anotherClassIsBad() {
        assertThatThrownBy(() -> boxed(7L, ColumnType.INT))
                .isInstanceOf(BadValueException.class)
                .hasMessage(
                        "a getter must give the class of its type: column='x', value=7, type=INT,"
                                + " class=java.lang.Long; change the getter or the type");
        assertThatThrownBy(() -> boxed(1.5, ColumnType.FLOAT))
                .isInstanceOf(BadValueException.class);
        assertThatThrownBy(() -> boxed(1.5f, ColumnType.DOUBLE))
                .isInstanceOf(BadValueException.class);
        assertThatThrownBy(() -> boxed(1, ColumnType.LONG)).isInstanceOf(BadValueException.class);
        assertThatThrownBy(() -> boxed(1.5, ColumnType.decimal(2, 1)))
                .isInstanceOf(BadValueException.class);
    }

    @Test
    void aGetterThatThrowsIsBad() {
        Aggregates<Integer> aggregates = Aggregates.of((Integer n) -> n).and((Integer n) -> 1 / n);
        assertThatThrownBy(() -> read(aggregates, 0))
                .isInstanceOf(BadValueException.class)
                .hasCauseInstanceOf(ArithmeticException.class)
                .hasMessage(
                        "a getter must not throw: column=1,"
                                + " exception=java.lang.ArithmeticException: / by zero");
    }

    @Test
    void aNullThatIsUnboxedIsBadAndItsTypeIsTheRemedy() {
        Aggregates<Double> unboxed = Aggregates.of((Double number) -> number);
        assertThatThrownBy(() -> read(unboxed, null))
                .isInstanceOf(BadValueException.class)
                .hasMessageEndingWith(
                        "; if the value may be null, give its type too: of(getter, ColumnType.DOUBLE)");
    }

    @Test
    void aMessageIsOneShortLine() {
        ValueGetter<String, Integer> getter =
                text -> {
                    throw new IllegalStateException(text);
                };
        assertThatThrownBy(() -> read(Aggregates.of(getter, ColumnType.INT), "a\r\nb".repeat(1000)))
                .isInstanceOf(BadValueException.class)
                .satisfies(e -> assertThat(e.getMessage()).hasSizeLessThan(200))
                .satisfies(e -> assertThat(e.getMessage()).doesNotContain("\n", "\r"));
    }

    private static RowValues boxed(Number value, ColumnType type) throws BadValueException {
        Aggregates<String> aggregates = Aggregates.of((String any) -> value, type).named("x");
        return read(aggregates, "");
    }

    private static <T> RowValues read(Aggregates<T> aggregates, T record) throws BadValueException {
        RowValues row = new RowValues(aggregates.specs().size());
        new ValueReader<>(aggregates, ErrorValues.of(ErrorDetail.FULL)).read(record, row);
        return row;
    }

    private record Numbers(int i, long l, float f, double d) {}
}
