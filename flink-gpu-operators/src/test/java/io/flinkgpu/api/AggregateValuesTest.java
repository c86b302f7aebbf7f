package io.flinkgpu.api;

import org.junit.jupiter.api.Test;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Covers: AggregateValues.
 */
class AggregateValuesTest {

    private static final List<ValueSpec> SPECS =
            List.of(
                    new ValueSpec(
                            "",
                            ColumnType.DOUBLE,
                            List.of(Aggregate.MIN, Aggregate.MEAN, Aggregate.COUNT)),
                    new ValueSpec("price", ColumnType.decimal(9, 2), List.of(Aggregate.SUM)));

    @Test
    void isReadByIndexAndByName() {
        AggregateValues values = values(1.5, 2.25, 4L, new BigDecimal("3.00"));
        assertThat(values.size()).isEqualTo(4);
        assertThat(values.name(3)).isEqualTo("price_sum");
        assertThat(values.get("min")).isEqualTo(1.5);
        assertThat(values.getDouble("mean")).isEqualTo(2.25);
        assertThat(values.getLong("count")).isEqualTo(4);
        assertThat(values.getDouble(2)).isEqualTo(4.0);
        assertThat(values.getDecimal("price_sum")).isEqualTo("3.00");
        assertThat(values.getDecimal("mean")).isEqualTo("2.25");
        assertThat(values.getLong("price_sum")).isEqualTo(3);
        assertThat(values).hasToString("AggregateValues[min, mean, count, price_sum]");
    }

    @Test
    void namesThatAreNotThereAreAnsweredWithThoseThatAre() {
        assertThatThrownBy(() -> values(1.5, 2.0, 1L, null).get("max"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "there is no such result: name='max'; there are"
                                + " [min, mean, count, price_sum]");
    }

    @Test
    void noNumberLosesAnything() {
        AggregateValues values = values(1.5, Double.NaN, 1L, new BigDecimal("1E+20"));
        assertThatThrownBy(() -> values.getLong("min"))
                .isInstanceOf(ArithmeticException.class)
                .hasMessage(
                        "a result must be an integer in the range of a long: result='min', type=Double;"
                                + " use getDouble(..) or getDecimal(..)");
        assertThatThrownBy(() -> values.getLong("price_sum"))
                .isInstanceOf(ArithmeticException.class);
        assertThatThrownBy(() -> values.getDecimal("mean"))
                .isInstanceOf(ArithmeticException.class)
                .hasMessage(
                        "a result must be finite: result='mean', type=Double; use getDouble(..)");
    }

    @Test
    void nullsAreNamed() {
        AggregateValues values = values(null, null, 0L, null);
        assertThat(values.isNull(0)).isTrue();
        assertThat(values.isNull("count")).isFalse();
        assertThat(values.get("mean")).isNull();
        assertThatThrownBy(() -> values.getDouble("mean"))
                .isInstanceOf(NullPointerException.class)
                .hasMessage(
                        "a result of no values is null: result='mean', type=Double; ask isNull(..)"
                                + " first");
    }

    @Test
    void equalityIsThatOfNamesAndValues() {
        AggregateValues values = values(1.5, 2.0, 1L, null);
        assertThat(values).isEqualTo(values(1.5, 2.0, 1L, null));
        assertThat(values).hasSameHashCodeAs(values(1.5, 2.0, 1L, null));
        assertThat(values).isNotEqualTo(values(1.5, 2.5, 1L, null));
        assertThat(new AggregateValues(SPECS.subList(1, 2), new Object[1]))
                .isNotEqualTo(
                        new AggregateValues(
                                List.of(
                                        new ValueSpec(
                                                "cost",
                                                ColumnType.decimal(9, 2),
                                                List.of(Aggregate.SUM))),
                                new Object[1]));
    }

    @Test
    void anotherGetterIsNamedForAResultOfAnotherClass() {
        List<String> list = new ArrayList<>(List.of("x"));
        AggregateValues values = values(1.5, "text", list, new BigDecimal("3.00"));
        assertThatThrownBy(() -> values.getText("min"))
                .isInstanceOf(ClassCastException.class)
                .hasMessage(
                        "a result must be a text to be read as one: result='min', type=Double; use"
                                + " getDouble(..)");
        assertThatThrownBy(() -> values.getLong("mean"))
                .isInstanceOf(ClassCastException.class)
                .hasMessageContaining("must be a number to be read as one: result='mean'")
                .hasMessageEndingWith("; use getText(..)");
        assertThatThrownBy(() -> values.getDouble("count"))
                .isInstanceOf(ClassCastException.class)
                .hasMessageEndingWith("; use getList(..)");
        assertThatThrownBy(() -> values.getList("price_sum"))
                .isInstanceOf(ClassCastException.class)
                .hasMessageEndingWith("; use getDecimal(..)");
    }

    @Test
    @SuppressWarnings("unchecked") // The list is one of texts.
    void aListCannotBeChanged() {
        AggregateValues values = values(1.5, null, new ArrayList<>(List.of("x")), null);
        assertThatThrownBy(() -> ((List<String>) values.getList(2)).add("y"))
                .isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(() -> ((List<String>) values.get(2)).clear())
                .isInstanceOf(UnsupportedOperationException.class);
        assertThat(values.getList(2)).isEqualTo(List.of("x"));
    }

    @Test
    void eachResultHasAValue() {
        assertThatThrownBy(() -> values(1.5))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("each result must have a value: results=4, values=1");
    }

    private static AggregateValues values(Object... values) {
        return new AggregateValues(SPECS, values);
    }
}
