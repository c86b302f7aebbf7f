package io.flinkgpu.api;

import org.junit.jupiter.api.Test;

import java.math.BigDecimal;
import java.util.List;

import static io.flinkgpu.api.Aggregate.COUNT;
import static io.flinkgpu.api.Aggregate.MAX;
import static io.flinkgpu.api.Aggregate.MEAN;
import static io.flinkgpu.api.Aggregate.MIN;
import static io.flinkgpu.api.Aggregate.SUM;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/** What can be asked for, and what cannot. */
class AggregatesTest {

    private static final class Reading {

        int getHits() {
            return 1;
        }

        long getBytes() {
            return 2;
        }

        float getLoad() {
            return 3;
        }

        double getTemperature() {
            return 4;
        }

        Integer getHitsOrNull() {
            return null;
        }

        BigDecimal getPrice() {
            return BigDecimal.ONE;
        }
    }

    @Test
    void aGettersTypeIsItsColumns() {
        Aggregates<Reading> aggregates =
                Aggregates.of(Reading::getTemperature)
                        .named("t")
                        .min()
                        .mean()
                        .max()
                        .sum()
                        .count()
                        .and(Reading::getHits)
                        .named("h")
                        .max()
                        .and(Reading::getBytes)
                        .named("b")
                        .sum()
                        .and(Reading::getLoad)
                        .named("l")
                        .mean()
                        .and(Reading::getHitsOrNull, ColumnType.INT)
                        .named("n")
                        .count()
                        .and(Reading::getPrice, ColumnType.decimal(18, 2))
                        .named("p")
                        .min();
        assertThat(aggregates.checked().specs())
                .containsExactly(
                        new ValueSpec("t", ColumnType.DOUBLE, List.of(MIN, MEAN, MAX, SUM, COUNT)),
                        new ValueSpec("h", ColumnType.INT, List.of(MAX)),
                        new ValueSpec("b", ColumnType.LONG, List.of(SUM)),
                        new ValueSpec("l", ColumnType.FLOAT, List.of(MEAN)),
                        new ValueSpec("n", ColumnType.INT, List.of(COUNT)),
                        new ValueSpec("p", ColumnType.decimal(18, 2), List.of(MIN)));
    }

    @Test
    void eachMethodGivesAChangedCopy() {
        Aggregates<Reading> min = Aggregates.of(Reading::getLoad).min();
        min.max().named("load").and(Reading::getHits).sum();
        assertThat(min.specs())
                .containsExactly(new ValueSpec("", ColumnType.FLOAT, List.of(Aggregate.MIN)));
    }

    @Test
    void eachResultIsAskedForOnce() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Aggregates.of(Reading::getLoad).named("load").min().min())
                .withMessage(
                        "a column computes each aggregate once: column='load', aggregate=MIN;"
                                + " remove one of the calls");
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () ->
                                Aggregates.of(Reading::getLoad)
                                        .min()
                                        .and(Reading::getHits)
                                        .min()
                                        .checked())
                .withMessage(
                        "each column needs a name of its own: column=''; give the columns names"
                                + " with named(..)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Aggregates.of(Reading::getLoad).named("load").checked())
                .withMessage(
                        "a column must compute something: column='load'; add min(), mean(), max(),"
                                + " sum() or count()");
    }

    @Test
    void eachColumnAndEachResultHasANameOfItsOwn() {
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () ->
                                Aggregates.of(Reading::getLoad)
                                        .min()
                                        .and(Reading::getHits)
                                        .max()
                                        .checked())
                .withMessageStartingWith("each column needs a name of its own: column=''");
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () ->
                                Aggregates.of(Reading::getLoad)
                                        .named("a")
                                        .min()
                                        .and(Reading::getHits)
                                        .named("a")
                                        .max()
                                        .checked())
                .withMessageStartingWith("each column needs a name of its own: column='a'");
    }

    @Test
    void decimalsHaveAtMost18Digits() {
        assertThat(ColumnType.decimal(18, 18).precision()).isEqualTo(18);
        assertThat(ColumnType.decimal(1, 0).scale()).isZero();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ColumnType.decimal(19, 2))
                .withMessage(
                        "a decimal has 1 to 18 digits: precision=19; use Flink's own window operator"
                                + " for wider ones");
        assertThatIllegalArgumentException().isThrownBy(() -> ColumnType.decimal(0, 0));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ColumnType.decimal(5, 6))
                .withMessage("a decimal's scale is 0 to its precision: precision=5, scale=6");
        assertThatIllegalArgumentException().isThrownBy(() -> ColumnType.decimal(5, -1));
    }
}
