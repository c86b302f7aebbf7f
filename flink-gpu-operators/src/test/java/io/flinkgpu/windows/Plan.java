package io.flinkgpu.windows;

import io.flinkgpu.ExactAggregate;
import io.flinkgpu.GpuStreams;
import io.flinkgpu.WindowedGpuStream;
import io.flinkgpu.api.AggregateValues;
import io.flinkgpu.api.BackendChoice;
import io.flinkgpu.api.BatchPolicy;
import io.flinkgpu.api.DeadLetter;
import io.flinkgpu.api.DeadLetterTypeInfo;
import io.flinkgpu.api.ErrorDetail;
import io.flinkgpu.api.GpuOptions;
import io.flinkgpu.api.WindowResult;

import org.apache.flink.api.common.functions.MapFunction;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.datastream.WindowedStream;
import org.apache.flink.streaming.api.windowing.assigners.WindowAssigner;
import org.apache.flink.streaming.api.windowing.windows.Window;
import org.apache.flink.util.OutputTag;

import java.io.Serializable;
import java.time.Duration;

/**
 * What a job computes, to be built of our operators or of Flink's.
 *
 * @param latenessMillis how long windows stay; negative is not to say anything
 * @param lateToSideOutput whether late records go to {@link #LATE}
 * @param mapper whether our rows are made by a mapper, which gives Strings
 * @param deadLetters whether our records that are no good go to {@link #DEAD}
 */
record Plan<K>(
        KeyKind<K> key,
        Shape shape,
        Query query,
        long latenessMillis,
        boolean lateToSideOutput,
        boolean localAggregation,
        BatchPolicy batchPolicy,
        boolean mapper,
        boolean deadLetters)
        implements Serializable {

    private static final long serialVersionUID = 1L;

    static final OutputTag<DeadLetter<Reading>> DEAD =
            new OutputTag<>("dead", new DeadLetterTypeInfo<>(Types.POJO(Reading.class)));

    static final OutputTag<Reading> LATE = new OutputTag<>("late", Types.POJO(Reading.class));

    /** Who does the work. */
    enum Engine {
        /** This library. */
        OURS,
        /** This library, with its state as Flink's operator has it. */
        OURS_FLINK_STATE,
        /** Flink's operator with this library's accumulators. */
        FLINK_EXACT,
        /** Flink's operator with all rows kept. */
        JUDGE;

        /** The engine that goes on from this one's savepoint, so that all changes of format happen. */
        Engine next() {
            return switch (this) {
                case OURS -> OURS_FLINK_STATE;
                case OURS_FLINK_STATE -> FLINK_EXACT;
                case FLINK_EXACT -> OURS;
                case JUDGE -> JUDGE;
            };
        }
    }

    /** What runs the local aggregation of ours. */
    private static final BackendChoice BACKEND =
            BackendChoice.valueOf(System.getProperty("windows.backend", "CPU"));

    /** The result as a stream of rows of {@link KeepsRows#row}, or of WindowResults of the same. */
    SingleOutputStreamOperator<?> build(DataStream<Reading> readings, Engine engine) {
        return switch (engine) {
            case OURS -> ours(readings, false);
            case OURS_FLINK_STATE -> ours(readings, true);
            case FLINK_EXACT -> exact(readings, shape.assigner());
            case JUDGE -> judge(readings, shape.assigner());
        };
    }

    private SingleOutputStreamOperator<?> ours(DataStream<Reading> readings, boolean flinkState) {
        GpuOptions options =
                GpuOptions.DEFAULT
                        .withErrorDetail(ErrorDetail.FULL)
                        .withBackend(BACKEND)
                        .withMemoryLimitBytes(64L << 20)
                        .withBatchPolicy(batchPolicy);
        WindowedGpuStream<Reading, K> windowed =
                GpuStreams.on(readings)
                        .withOptions(options)
                        .keyBy(key.selector(), key.type())
                        .window(shape.assigner())
                        .localAggregation(localAggregation)
                        .flinkState(flinkState);
        if (latenessMillis >= 0) {
            windowed = windowed.allowedLateness(Duration.ofMillis(latenessMillis));
        }
        if (lateToSideOutput) {
            windowed = windowed.sideOutputLateData(LATE);
        }
        if (deadLetters) {
            windowed = windowed.deadLetters(DEAD);
        }
        if (!mapper) {
            return windowed.aggregate(query.aggregates());
        }
        MapFunction<K, String> sensor = key.sensor();
        return windowed.aggregate(query.aggregates(), result -> row(result, sensor), Types.STRING);
    }

    private <W extends Window> SingleOutputStreamOperator<?> exact(
            DataStream<Reading> readings, WindowAssigner<Object, W> assigner) {
        ExactAggregate<Reading> exact = new ExactAggregate<>(query.aggregates());
        return flink(readings.keyBy(key.selector(), key.type()).window(assigner))
                .aggregate(
                        exact,
                        exact.<K, W>toResult(),
                        exact.accumulatorType(),
                        exact.resultType(key.type()));
    }

    private <W extends Window> SingleOutputStreamOperator<String> judge(
            DataStream<Reading> readings, WindowAssigner<Object, W> assigner) {
        return flink(readings.keyBy(reading -> reading.sensor).window(assigner))
                .aggregate(
                        new KeepsRows(query),
                        new KeepsRows.ToRow<W>(),
                        KeepsRows.ACCUMULATOR,
                        Types.STRING,
                        Types.STRING);
    }

    private <Q, W extends Window> WindowedStream<Reading, Q, W> flink(
            WindowedStream<Reading, Q, W> windowed) {
        WindowedStream<Reading, Q, W> changed = windowed;
        if (latenessMillis >= 0) {
            changed = changed.allowedLateness(Duration.ofMillis(latenessMillis));
        }
        return lateToSideOutput ? changed.sideOutputLateData(LATE) : changed;
    }

    /** Whether Flink's operator can do the same with this library's accumulators. */
    boolean swappable() {
        return key.forFlink() && !deadLetters && !query.isByTime();
    }

    /** Whatever a stream of {@link #build} gave, as a row of {@link KeepsRows#row}. */
    @SuppressWarnings("unchecked") // WindowResults of this plan have its keys.
    String row(Object result) {
        return result instanceof WindowResult<?> windowResult
                ? row((WindowResult<K>) windowResult, key.sensor())
                : (String) result;
    }

    private static <K> String row(WindowResult<K> result, MapFunction<K, String> sensor) {
        AggregateValues values = result.values();
        try {
            return KeepsRows.row(
                    sensor.map(result.key()),
                    result.startMillis(),
                    result.endMillis(),
                    Query.text(values));
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
