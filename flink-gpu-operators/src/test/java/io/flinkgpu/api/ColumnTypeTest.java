package io.flinkgpu.api;

import org.apache.flink.util.InstantiationUtil;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

import java.util.List;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Covers: ColumnType.
 */
class ColumnTypeTest {

    static Stream<ColumnType> types() {
        return Stream.of(
                ColumnType.TEXT,
                ColumnType.BYTES,
                ColumnType.INT,
                ColumnType.LONG,
                ColumnType.FLOAT,
                ColumnType.DOUBLE,
                ColumnType.BOOLEAN,
                ColumnType.TIMESTAMP,
                ColumnType.decimal(18, 4),
                ColumnType.list(ColumnType.TEXT),
                ColumnType.list(ColumnType.decimal(9, 2)),
                ColumnType.vector(768, ColumnType.FLOAT));
    }

    @ParameterizedTest
    @MethodSource("types")
    void isTheSameAfterATripWithTheJobGraph(ColumnType type) throws Exception {
        ColumnType copy = InstantiationUtil.clone(type);
        assertThat(copy).isEqualTo(type).hasSameHashCodeAs(type).hasToString(type.toString());
        boolean hasParameters = type.precision() > 0 || type.element() != null;
        assertThat(copy == type).isEqualTo(!hasParameters);
    }

    @Test
    void typesOfOtherParametersAreOthers() {
        assertThat(types()).doesNotHaveDuplicates().hasSize(12);
        assertThat(ColumnType.decimal(18, 4)).isNotEqualTo(ColumnType.decimal(18, 3));
        assertThat(ColumnType.vector(2, ColumnType.INT))
                .isNotEqualTo(ColumnType.vector(3, ColumnType.INT))
                .isNotEqualTo(ColumnType.vector(2, ColumnType.LONG));
    }

    @Test
    void namesItselfInMessages() {
        assertThat(types())
                .extracting(ColumnType::toString)
                .contains("TEXT", "DECIMAL(18, 4)", "LIST(DECIMAL(9, 2))", "VECTOR(768, FLOAT)");
    }

    /** The names are in savepoints. */
    @ParameterizedTest
    @EnumSource(
            value = ColumnType.Kind.class,
            mode = EnumSource.Mode.EXCLUDE,
            names = {"LIST", "VECTOR"})
    void isFoundByTheNameOfItsKind(ColumnType.Kind kind) {
        ColumnType type = ColumnType.of(ColumnType.Kind.valueOf(kind.name()), 18, 4);
        assertThat(type.kind()).isEqualTo(kind);
        assertThat(types()).contains(type);
    }

    @Test
    void numbersAreReadAsWordsOf8Bytes() {
        assertThat(types().filter(ColumnType::isNumber).map(ColumnType::word))
                .containsExactly(
                        ColumnType.LONG,
                        ColumnType.LONG,
                        ColumnType.DOUBLE,
                        ColumnType.DOUBLE,
                        ColumnType.LONG);
    }

    @Test
    void listsAndVectorsAreOfPlainElements() {
        for (ColumnType element :
                List.of(ColumnType.list(ColumnType.INT), ColumnType.vector(3, ColumnType.FLOAT))) {
            assertThatThrownBy(() -> ColumnType.list(element))
                    .hasMessage(
                            "a list has elements that are no lists and no vectors: element="
                                    + element
                                    + "; put all in one list, or use several columns");
            assertThatThrownBy(() -> ColumnType.vector(2, element))
                    .hasMessageContaining("element=" + element);
        }
        assertThatThrownBy(() -> ColumnType.vector(0, ColumnType.FLOAT))
                .hasMessage(
                        "a vector has one or more INT, LONG, FLOAT or DOUBLE: length=0,"
                                + " element=FLOAT; use a list for others");
        assertThatThrownBy(() -> ColumnType.vector(2, ColumnType.TEXT))
                .hasMessageContaining("element=TEXT");
        assertThatThrownBy(() -> ColumnType.vector(2, ColumnType.decimal(3, 1)))
                .hasMessageContaining("element=DECIMAL(3, 1)");
    }

    @Test
    void onlyNumbersAreAggregated() {
        assertThatThrownBy(() -> new ValueSpec("v", ColumnType.TEXT, List.of(Aggregate.MIN)))
                .hasMessage(
                        "a value that is aggregated cannot be of this type: type=TEXT; declare another one, and convert to it");
    }

    @Test
    @SuppressWarnings("deprecation")
    void numbersHaveTheirNamesOfBefore() {
        assertThat(
                        List.of(
                                ColumnType.INT,
                                ColumnType.LONG,
                                ColumnType.FLOAT,
                                ColumnType.DOUBLE,
                                ColumnType.decimal(18, 4)))
                .containsExactlyElementsOf(types().filter(ColumnType::isNumber).toList());
    }
}
