package io.flinkgpu.words;

import io.flinkgpu.api.Aggregate;
import io.flinkgpu.api.ColumnType;
import io.flinkgpu.api.ValueSpec;
import io.flinkgpu.words.WordLayout.Slot;

import org.junit.jupiter.api.Test;

import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Covers: WordLayout.
 */
class WordLayoutTest {

    private static final List<ValueSpec> VALUES =
            List.of(
                    new ValueSpec("a", ColumnType.INT, List.of(Aggregate.MAX, Aggregate.MEAN)),
                    new ValueSpec("b", ColumnType.LONG, List.of(Aggregate.COUNT)),
                    new ValueSpec("c", ColumnType.DOUBLE, List.of(Aggregate.SUM)));

    @Test
    void termsFollowEachOtherValueByValue() {
        WordLayout layout = new WordLayout(3, VALUES, value -> 10 * value);
        assertThat(layout.slots())
                .containsExactly(
                        new Slot(0, Term.COUNT, 3, 1),
                        new Slot(0, Term.MIN, 4, 1),
                        new Slot(0, Term.MAX, 5, 1),
                        new Slot(0, Term.SUM, 6, 2),
                        new Slot(1, Term.COUNT, 8, 1),
                        new Slot(2, Term.COUNT, 9, 1),
                        new Slot(2, Term.SPECIALS, 10, 1),
                        new Slot(2, Term.SUM, 11, 20));
        assertThat(layout.words()).isEqualTo(31);
        assertThat(layout.first(2, Term.SUM)).isEqualTo(11);
        assertThat(layout.has(1, Term.MIN)).isFalse();
    }

    @Test
    void floatingSumsMayBeKeptElsewhereOrHaveNoBins() {
        WordLayout elsewhere = new WordLayout(0, VALUES, value -> WordLayout.ELSEWHERE);
        assertThat(elsewhere.has(2, Term.SPECIALS)).isFalse();
        assertThat(elsewhere.words()).isEqualTo(7);
        WordLayout noBins = new WordLayout(0, VALUES, value -> 0);
        assertThat(noBins.has(2, Term.SPECIALS)).isTrue();
        assertThat(noBins.words()).isEqualTo(8);
    }

    @Test
    void aNewGroupHasTheWordsOfNoValues() {
        assertThat(new WordLayout(1, VALUES.subList(0, 1), value -> 0).initial())
                .containsExactly(0, 0, Long.MAX_VALUE, Long.MIN_VALUE, 0, 0);
    }
}
