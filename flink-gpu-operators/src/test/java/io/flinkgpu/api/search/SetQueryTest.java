package io.flinkgpu.api.search;

import org.junit.jupiter.api.Test;

import java.util.stream.IntStream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Covers: SetQuery.
 */
class SetQueryTest {

    @Test
    void elementsAreSortedAsUnsignedAndThereOnce() {
        assertThat(SetQuery.of(1, 3, -1, 0, 3, Integer.MIN_VALUE).elements())
                .containsExactly(0, 3, Integer.MIN_VALUE, -1);
        assertThat(SetChange.upsertUnsigned(1, 4_294_967_295L, 0, 7).elements())
                .containsExactly(0, 7, -1);
        assertThat(SetChange.upsert(1).elements()).isEmpty();
        assertThat(SetChange.delete(1).withAttributes(3).attributes()).isZero();
    }

    @Test
    void whatIsWrongIsSaid() {
        assertThatThrownBy(() -> SetQuery.of(0, 1))
                .hasMessage("a query asks for at least one document: k=0; ask for more");
        assertThatThrownBy(() -> SetQuery.of(1).withMinScore(Double.NaN))
                .hasMessage("minScore is a number: minScore=NaN; use 0 for all");
        assertThatThrownBy(() -> SetQuery.ofUnsigned(1, 5, -1))
                .hasMessage(
                        "an element of the set of a query is a number from 0 to 4294967295: position=1;"
                                + " hash others to 32 bits, or number them");
        assertThatThrownBy(() -> SetChange.upsert(1, IntStream.range(0, 1_025).toArray()))
                .hasMessage(
                        "the set of a document has at most 1024 elements: elements=1025; leave some out,"
                                + " for example those that nearly every set has");
        assertThat(
                        SetChange.upsert(1, IntStream.range(0, 2_048).map(i -> i / 2).toArray())
                                .elements())
                .hasSize(1_024);
    }

    @Test
    void nothingOfSetsIsShown() {
        assertThat(SetQuery.of(9, 1234567).toString()).isEqualTo("SetQuery{k=9, elements=1}");
        assertThat(SetChange.upsert(1234567, 1234567).toString())
                .isEqualTo("SetChange{elements=1}");
    }
}
