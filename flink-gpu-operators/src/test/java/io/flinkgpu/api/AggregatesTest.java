package io.flinkgpu.api;

import io.flinkgpu.api.CellAggregate.Kind;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import static io.flinkgpu.api.Aggregate.COUNT;
import static io.flinkgpu.api.Aggregate.MAX;
import static io.flinkgpu.api.Aggregate.MEAN;
import static io.flinkgpu.api.Aggregate.MIN;
import static io.flinkgpu.api.Aggregate.SUM;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * What can be asked for, and what cannot.
 *
 * <p>Covers: Aggregates, CellAggregate, ResultSchema, ValueSpec.
 */
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

        String getName() {
            return "name";
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
    void someAggregatesAreOfTextsAndOfOtherColumns() {
        Aggregates<Reading> aggregates =
                Aggregates.of(Reading::getTemperature)
                        .max()
                        .argMax("where", Reading::getName, ColumnType.TEXT)
                        .top(3, "hits", Reading::getHitsOrNull, ColumnType.INT)
                        .first()
                        .and(Reading::getName, ColumnType.TEXT)
                        .named("name")
                        .min()
                        .count();
        List<ValueSpec> specs = aggregates.checked().specs();
        assertThat(specs)
                .containsExactly(
                        new ValueSpec(
                                "",
                                ColumnType.DOUBLE,
                                List.of(
                                        MAX,
                                        new CellAggregate(
                                                Kind.ARG_MAX, "where", ColumnType.TEXT, 0),
                                        new CellAggregate(Kind.TOP, "hits", ColumnType.INT, 3),
                                        new CellAggregate(Kind.FIRST, "", null, 0))),
                        new ValueSpec(
                                "name",
                                ColumnType.TEXT,
                                List.of(new CellAggregate(Kind.MIN, "", null, 0), COUNT)));
        ResultSchema schema = new ResultSchema(specs);
        assertThat(IntStream.range(0, schema.size()).mapToObj(schema::name))
                .containsExactly("max", "where", "hits", "first", "name_min", "name_count");
        assertThat(aggregates.isByTime()).isTrue();
        assertThat(aggregates.others(0).get(1).get(new Reading())).isNull();
    }

    @Test
    void whatCannotBeKeptIsRefused() {
        Aggregates<Reading> names = Aggregates.of(Reading::getName, ColumnType.TEXT).named("name");
        assertThatIllegalArgumentException()
                .isThrownBy(names::sum)
                .withMessage(
                        "only numbers are added up: column='name', aggregate=SUM, type=TEXT; ask for"
                                + " min(), max(), first(), last() or count() of it");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> names.min().min())
                .withMessage(
                        "a column computes each aggregate once: column='name', aggregate=MIN; remove"
                                + " one of the calls");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> names.argMin("", Reading::getPrice, ColumnType.LONG))
                .withMessage(
                        "a result of another column needs a name: aggregate=ARG_MIN, name='';"
                                + " name it after that column");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> names.top(1001, "prices", Reading::getPrice, ColumnType.LONG))
                .withMessage(
                        "the greatest rows are 1 to 1000: result='prices', rows=1001; give so many,"
                                + " or use Flink's own window operator for more");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> names.approxDistinct(22))
                .withMessage(
                        "a distinct count has 2^4 to 2^21 registers: lgK=22; give 4 to 21, of which"
                                + " 12 has an error of 1.6 percent");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> names.approxQuantile("median", 0.5))
                .withMessage(
                        "a quantile is of numbers: result='median', type=TEXT; texts have min() and"
                                + " max()");
    }

    @ParameterizedTest
    @ValueSource(doubles = {-0.1, 1.0000001, 2, 1 / 3.0, Double.NaN, Double.POSITIVE_INFINITY})
    void quantilesAreFromZeroToOneWithSixDecimals(double quantile) {
        Aggregates<Reading> load = Aggregates.of(Reading::getLoad);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> load.approxQuantile("p", quantile))
                .withMessage(
                        "a quantile is from 0 to 1, with at most six decimals: result='p', quantile="
                                + quantile
                                + "; give 0.5 for the median, 0.99 for what one value in a hundred"
                                + " exceeds");
        assertThat(load.approxQuantile("p", 0.999999).specs()).hasSize(1);
    }

    @Test
    void otherColumnsAreNumbersOrTexts() {
        Aggregates<Reading> names = Aggregates.of(Reading::getName, ColumnType.TEXT);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> names.argMin("x", Reading::getPrice, ColumnType.BYTES))
                .withMessage(
                        "another column of an aggregate cannot be of this type: type=BYTES; declare another one, and convert to it");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Aggregates.of(Reading::getName, ColumnType.BYTES))
                .withMessage(
                        "a value that is aggregated cannot be of this type: type=BYTES; declare another one, and convert to it");
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
    void nullsAreNamed() {
        Aggregates<Reading> ofHits = Aggregates.of(Reading::getHits);
        ValueGetter<Reading, Long> other = Reading::getBytes;
        Map<ThrowingCallable, String> calls = new LinkedHashMap<>();
        calls.put(() -> Aggregates.of((IntGetter<Reading>) null), "getter");
        calls.put(() -> Aggregates.of((ValueGetter<Reading, ?>) null, ColumnType.INT), "getter");
        calls.put(() -> Aggregates.of(Reading::getHitsOrNull, null), "type");
        calls.put(() -> Aggregates.ofField(null), "field");
        calls.put(() -> Aggregates.ofField("n").argMin("least", null), "field");
        calls.put(() -> Aggregates.ofField("n").top(2, null, "m"), "name");
        calls.put(() -> ofHits.named(null), "name");
        calls.put(() -> ofHits.approxQuantile(null, 0.5), "name");
        calls.put(() -> ofHits.argMin(null, other, ColumnType.LONG), "name");
        calls.put(() -> ofHits.argMax("n", null, ColumnType.LONG), "other");
        calls.put(() -> ofHits.top(3, "n", other, null), "type");
        calls.forEach(
                (call, name) ->
                        assertThatThrownBy(call)
                                .isInstanceOf(IllegalArgumentException.class)
                                .hasMessage(
                                        "an argument must not be null: "
                                                + name
                                                + "=null; give one"));
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
