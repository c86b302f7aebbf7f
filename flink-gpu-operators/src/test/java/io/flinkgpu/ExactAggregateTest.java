package io.flinkgpu;

import io.flinkgpu.api.Aggregates;
import io.flinkgpu.api.ColumnType;
import io.flinkgpu.api.WindowResult;

import org.apache.flink.api.common.ExecutionConfig;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.streaming.api.windowing.assigners.EventTimeSessionWindows;
import org.apache.flink.streaming.api.windowing.assigners.TumblingEventTimeWindows;
import org.apache.flink.streaming.api.windowing.assigners.WindowAssigner;
import org.apache.flink.streaming.api.windowing.triggers.EventTimeTrigger;
import org.apache.flink.streaming.api.windowing.windows.TimeWindow;
import org.apache.flink.streaming.runtime.operators.windowing.WindowOperatorBuilder;
import org.apache.flink.streaming.util.KeyedOneInputStreamOperatorTestHarness;

import org.junit.jupiter.api.Test;

import java.time.Duration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * The aggregates in Flink's own window operator.
 *
 * <p>Covers: ExactAggregate.
 */
class ExactAggregateTest {

    private static final WindowAssigner<Object, TimeWindow> TUMBLING =
            TumblingEventTimeWindows.of(Duration.ofMillis(10));

    private static final Aggregates<Double> ALL =
            Aggregates.of((Double value) -> value, ColumnType.DOUBLE)
                    .min()
                    .mean()
                    .max()
                    .sum()
                    .count();

    @Test
    void windowsHaveTheirResults() throws Exception {
        try (Harness harness = harness(ALL, TUMBLING, null)) {
            harness.processElement(1e308, 1);
            harness.processElement(-1.5, 12);
            harness.processElement(1e308, 2);
            harness.processElement(-1e308, 3);
            harness.processWatermark(9);
            harness.processWatermark(20);
            assertThat(harness.extractOutputValues())
                    .map(ResultText::of)
                    .containsExactly(
                            "all [0, 10): min=-1.0E308, mean=3.333333333333333E307, max=1.0E308,"
                                    + " sum=1.0E308, count=3",
                            "all [10, 20): min=-1.5, mean=-1.5, max=-1.5, sum=-1.5, count=1");
        }
    }

    @Test
    void sessionsAreMerged() throws Exception {
        WindowAssigner<Object, TimeWindow> sessions =
                EventTimeSessionWindows.withGap(Duration.ofMillis(10));
        try (Harness harness = harness(ALL, sessions, null)) {
            harness.processElement(1.0, 1);
            harness.processElement(2.0, 17);
            harness.processElement(0x1p-60, 9);
            harness.processWatermark(100);
            assertThat(harness.extractOutputValues())
                    .map(ResultText::of)
                    .containsExactly(
                            "all [1, 27): min=8.673617379884035E-19, mean=1.0, max=2.0, sum=3.0,"
                                    + " count=3");
        }
    }

    /** Heap state is not rewritten when a job needs less: partials of before meet those of now. */
    @Test
    void aJobWithFewerAggregatesGoesOn() throws Exception {
        OperatorSubtaskState state = savepoint(ALL, null, 1.0, 2.0);
        Aggregates<Double> fewer =
                Aggregates.of((Double value) -> value, ColumnType.DOUBLE).named("t").mean();
        OperatorSubtaskState again = savepoint(fewer, state, 6.0);
        try (Harness harness = harness(fewer, TUMBLING, again)) {
            harness.processElement(7.0, 3);
            harness.processWatermark(100);
            assertThat(harness.extractOutputValues())
                    .map(ResultText::of)
                    .containsExactly("all [0, 10): t_mean=4.0");
        }
    }

    @Test
    void aJobThatNeedsMoreIsRefusedWithWhatWasKept() throws Exception {
        Aggregates<Double> mean = Aggregates.of((Double value) -> value, ColumnType.DOUBLE).mean();
        OperatorSubtaskState state = savepoint(mean, null, 1.0);
        assertThatThrownBy(() -> harness(ALL, TUMBLING, state).close())
                .hasStackTraceContaining("PartialSerializer[DOUBLE: count, sum]")
                .hasStackTraceContaining("PartialSerializer[DOUBLE: count, sum, min and max]");
    }

    @Test
    void aBadValueNamesItsColumnAndAddsNothing() {
        ExactAggregate<Integer> exact =
                new ExactAggregate<>(
                        Aggregates.of((Integer n) -> n)
                                .named("n")
                                .count()
                                .and((Integer n) -> 1 / n)
                                .named("inverse")
                                .sum());
        assertThatThrownBy(() -> exact.add(0, exact.createAccumulator()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("column='inverse'");
    }

    /** Flink does not give a function the timestamps of records. */
    @Test
    void nothingIsByTime() {
        assertThatThrownBy(
                        () ->
                                new ExactAggregate<>(
                                        Aggregates.of((Integer n) -> n).named("n").first()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "first() and last() need the timestamp of a record, which an"
                                + " AggregateFunction is not given: columns=[n]; ask for argMin(..) or"
                                + " argMax(..) of a column that has the time");
    }

    private static OperatorSubtaskState savepoint(
            Aggregates<Double> aggregates, OperatorSubtaskState from, double... values)
            throws Exception {
        try (Harness harness = harness(aggregates, TUMBLING, from)) {
            for (double value : values) {
                harness.processElement(value, 5);
            }
            return harness.snapshot(0, 0);
        }
    }

    private static Harness harness(
            Aggregates<Double> aggregates,
            WindowAssigner<Object, TimeWindow> assigner,
            OperatorSubtaskState state)
            throws Exception {
        ExactAggregate<Double> exact = new ExactAggregate<>(aggregates);
        Harness harness = new Harness(exact, assigner);
        TypeInformation<WindowResult<String>> type = exact.resultType(Types.STRING);
        harness.setup(type.createSerializer(harness.getExecutionConfig().getSerializerConfig()));
        if (state != null) {
            harness.initializeState(state);
        }
        harness.open();
        return harness;
    }

    private static final class Harness
            extends KeyedOneInputStreamOperatorTestHarness<String, Double, WindowResult<String>> {

        private static final long serialVersionUID = 1L;

        Harness(ExactAggregate<Double> exact, WindowAssigner<Object, TimeWindow> assigner)
                throws Exception {
            super(
                    new WindowOperatorBuilder<>(
                                    assigner,
                                    EventTimeTrigger.create(),
                                    new ExecutionConfig(),
                                    Types.DOUBLE,
                                    value -> "all",
                                    Types.STRING)
                            .aggregate(exact, exact.toResult(), exact.accumulatorType()),
                    value -> "all",
                    Types.STRING);
        }

        @Override
        public void close() {
            try {
                super.close();
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        }
    }
}
