package io.flinkgpu.column;

import io.flinkgpu.api.ColumnType;
import io.flinkgpu.api.ErrorValues;
import io.flinkgpu.api.expression.Columns;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Covers: RowReader.
 */
class RowReaderTest {

    private record Cells(
            String text,
            int integer,
            Number boxed,
            float real,
            Number boxedReal,
            boolean flag,
            Boolean boxedFlag) {}

    private static final Columns<Cells> COLUMNS =
            Columns.<Cells>empty()
                    .text("text", Cells::text)
                    .longs("integer", Cells::integer)
                    .longs("boxed", Cells::boxed)
                    .doubles("real", Cells::real)
                    .doubles("boxedReal", Cells::boxedReal)
                    .booleans("flag", Cells::flag)
                    .booleans("boxedFlag", Cells::boxedFlag);
    private static final List<String> ALL = List.copyOf(COLUMNS.types().keySet());

    private final RowValues values = new RowValues(ALL.size());

    @Test
    void readsEveryTypeOfColumn() {
        read(new Cells("é\ud800", -7, (short) 3, 0.5f, 2.5f, true, false));
        assertThat(text(values, 0))
                .isEqualTo(new byte[] {(byte) 0xc3, (byte) 0xa9, (byte) 0xed, (byte) 0xa0, -128});
        assertThat(values.word(1)).isEqualTo(-7);
        assertThat(values.word(2)).isEqualTo(3);
        assertThat(Double.longBitsToDouble(values.word(3))).isEqualTo(0.5);
        assertThat(Double.longBitsToDouble(values.word(4))).isEqualTo(2.5);
        assertThat(values.word(5)).isEqualTo(1);
        assertThat(values.word(6)).isZero();
        for (int i = 0; i < ALL.size(); i++) {
            assertThat(values.isNull(i)).isFalse();
        }
    }

    @Test
    void readsNulls() {
        read(new Cells("x", 0, 1L, 0, 1.0, false, true));
        read(new Cells(null, 0, null, 0, null, false, null));
        for (int i = 0; i < ALL.size(); i++) {
            assertThat(values.isNull(i)).as(ALL.get(i)).isEqualTo(i % 2 == 0);
        }
    }

    @Test
    void readsOnlyWhatItIsAskedFor() {
        RowValues two = new RowValues(2);
        // A decimal is no double, which only its reading would tell.
        new RowReader<>(COLUMNS, List.of("boxed", "text"), ErrorValues.HIDDEN)
                .read(new Cells("x", 0, 5, 0, BigDecimal.ONE, false, null), two);
        assertThat(two.word(0)).isEqualTo(5);
        assertThat(text(two, 1)).isEqualTo("x".getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void namesTheColumnOfAValueOfAnotherClass() {
        assertThatThrownBy(() -> read(new Cells("x", 0, 0.5, 0, 1.0, false, true)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage(
                        "a column could not be read of a record: column='boxed': longs are Long,"
                                + " Integer, Short or Byte: class=java.lang.Double; convert it in"
                                + " the getter");
        assertThatThrownBy(() -> read(new Cells("x", 0, 1, 0, new BigDecimal("1.5"), false, true)))
                .hasMessageContaining("doubles are Double or Float: class=java.math.BigDecimal");
    }

    /** Without computing digits of which there may be a billion. */
    @ParameterizedTest
    @CsvSource({
        "1E+1000000000, more digits than its type",
        "10, more digits than its type",
        "1E-1000000000, more digits behind the point than its type",
        "1.234, more digits behind the point than its type"
    })
    void refusesDecimalsOfOtherTypes(BigDecimal value, String reason) {
        assertThatThrownBy(() -> decimal(value)).hasMessageContaining("a decimal has " + reason);
    }

    @Test
    void readsDecimals() {
        assertThat(decimal(new BigDecimal("-1.20000"))).isEqualTo(-120);
        assertThat(decimal(new BigDecimal("0E+1000000000"))).isZero();
    }

    /** Else it would be 0. */
    @Test
    void refusesANullInAVector() {
        RowReader<Integer[]> reader =
                new RowReader<>(
                        Columns.<Integer[]>empty()
                                .column(
                                        "v",
                                        ColumnType.vector(2, ColumnType.INT),
                                        each -> (Object) each),
                        List.of("v"),
                        ErrorValues.HIDDEN);
        RowValues row = new RowValues(1);
        reader.read(new Integer[] {7, 8}, row);
        assertThat(row.list(0).word(1)).isEqualTo(8);
        assertThatThrownBy(() -> reader.read(new Integer[] {7, null}, row))
                .hasMessageContaining("an element of a vector is not null: place=1, type=");
    }

    private static long decimal(BigDecimal value) {
        RowValues row = new RowValues(1);
        new RowReader<>(
                        Columns.<BigDecimal>empty()
                                .column("d", ColumnType.decimal(3, 2), each -> each),
                        List.of("d"),
                        ErrorValues.HIDDEN)
                .read(value, row);
        return row.word(0);
    }

    @Test
    void namesTheColumnOfAGetterThatThrows() {
        RowReader<String> reader =
                new RowReader<>(
                        Columns.<String>empty()
                                .longs("first", (String text) -> (long) text.charAt(0)),
                        List.of("first"),
                        ErrorValues.HIDDEN);
        assertThatThrownBy(() -> reader.read("", new RowValues(1)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageStartingWith(
                        "a column could not be read of a record: column='first'; make its getter")
                .hasMessageContaining(
                        "exception=java.lang.StringIndexOutOfBoundsException (hidden: ");
    }

    private static byte[] text(RowValues values, int column) {
        return Arrays.copyOf(values.text(column), values.textBytes(column));
    }

    private void read(Cells cells) {
        new RowReader<>(COLUMNS, ALL, ErrorValues.HIDDEN).read(cells, values);
    }
}
