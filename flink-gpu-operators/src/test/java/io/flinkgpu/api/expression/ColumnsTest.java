package io.flinkgpu.api.expression;

import io.flinkgpu.api.BooleanGetter;
import io.flinkgpu.api.ColumnType;
import io.flinkgpu.api.DoubleGetter;
import io.flinkgpu.api.LongGetter;
import io.flinkgpu.api.TextGetter;
import io.flinkgpu.api.ValueGetter;

import org.apache.flink.util.InstantiationUtil;

import org.junit.jupiter.api.Test;

import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Covers: Columns.
 */
class ColumnsTest {

    private record Person(
            String name, int age, Integer size, float weight, Double score, boolean member) {}

    private static final Columns<Person> PEOPLE =
            Columns.<Person>empty()
                    .text("name", Person::name)
                    .longs("age", Person::age)
                    .longs("size", Person::size)
                    .doubles("weight", Person::weight)
                    .doubles("score", Person::score)
                    .booleans("member", Person::member)
                    .booleans("adult", (Person person) -> person.age() > 17)
                    .booleans("never", (Person person) -> (Boolean) null);

    @Test
    void columnsKeepTheirOrderAndTypes() {
        assertThat(PEOPLE.types())
                .containsExactly(
                        Map.entry("name", ColumnType.TEXT),
                        Map.entry("age", ColumnType.LONG),
                        Map.entry("size", ColumnType.LONG),
                        Map.entry("weight", ColumnType.DOUBLE),
                        Map.entry("score", ColumnType.DOUBLE),
                        Map.entry("member", ColumnType.BOOLEAN),
                        Map.entry("adult", ColumnType.BOOLEAN),
                        Map.entry("never", ColumnType.BOOLEAN));
    }

    /** A getter of boxed values must not be unboxed, which throws for null. */
    @Test
    void boxedGettersArePickedWhereValuesMayBeNull() {
        assertThat(PEOPLE.getter("name")).isInstanceOf(TextGetter.class);
        assertThat(PEOPLE.getter("age")).isInstanceOf(LongGetter.class);
        assertThat(PEOPLE.getter("size")).isInstanceOf(ValueGetter.class);
        assertThat(PEOPLE.getter("weight")).isInstanceOf(DoubleGetter.class);
        assertThat(PEOPLE.getter("score")).isInstanceOf(ValueGetter.class);
        assertThat(PEOPLE.getter("member")).isInstanceOf(BooleanGetter.class);
        assertThat(PEOPLE.getter("adult")).isInstanceOf(BooleanGetter.class);
        assertThat(PEOPLE.getter("never")).isInstanceOf(ValueGetter.class);
    }

    @Test
    void eachMethodGivesACopy() {
        Columns<Person> name = Columns.<Person>empty().text("name", Person::name);
        name.longs("age", Person::age);
        assertThat(name.types()).containsOnlyKeys("name");
    }

    @Test
    void columnsTravel() throws Exception {
        Columns<Person> copy = InstantiationUtil.clone(PEOPLE);
        assertThat(copy.types()).isEqualTo(PEOPLE.types());
        LongGetter<?> age = (LongGetter<?>) copy.getter("age");
        assertThat(age).isNotNull();
    }

    @Test
    void namesAreUniqueAndNotBlank() {
        assertThatThrownBy(() -> PEOPLE.longs("name", Person::age))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "two columns must not have one name: column='name'; rename one of them");
        assertThatThrownBy(() -> PEOPLE.text(" ", Person::name))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a column needs a name: name=' '");
    }

    @Test
    void unknownColumnsHaveNoGetter() {
        assertThatThrownBy(() -> PEOPLE.getter("height"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("no such column: column='height', columns=[name, age,");
    }
}
