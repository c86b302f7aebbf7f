package io.flinkgpu;

import io.flinkgpu.api.Aggregates;
import io.flinkgpu.api.Errors;
import io.flinkgpu.api.GpuOptions;
import io.flinkgpu.api.Lines;
import io.flinkgpu.api.WindowMapper;
import io.flinkgpu.api.WindowResult;
import io.flinkgpu.api.WindowResultTypeInfo;
import io.flinkgpu.operator.lines.LineReading;
import io.flinkgpu.operator.lines.LineRows;
import io.flinkgpu.operator.window.StateKeys;
import io.flinkgpu.operator.window.WindowInput;
import io.flinkgpu.operator.window.WindowInputTypeInfo;
import io.flinkgpu.operator.window.WindowPlan;
import io.flinkgpu.operator.window.WindowShape;
import io.flinkgpu.operator.window.WindowTrigger;

import org.apache.flink.annotation.PublicEvolving;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.java.functions.KeySelector;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.windowing.assigners.WindowAssigner;
import org.apache.flink.types.Row;
import org.apache.flink.util.OutputTag;

import java.time.Duration;

/**
 * Windows of lines. They hold the same lines, fire at the same watermarks and treat late lines the same
 * as if each line was a row and Flink's {@code keyBy.window.aggregate} behind. Immutable: each method
 * gives a changed copy.
 */
@PublicEvolving
public final class WindowedLineStream {

    private static final String AGGREGATE = "gpu-line-aggregate";

    private final KeyedLineStream keyed;
    private final WindowAssigner<Object, ?> assigner;
    private final WindowShape shape;
    private final long latenessMillis;
    private final OutputTag<Row> lateTag;

    WindowedLineStream(
            KeyedLineStream keyed, WindowAssigner<Object, ?> assigner, WindowShape shape) {
        this(keyed, assigner, shape, 0, null);
    }

    private WindowedLineStream(
            KeyedLineStream keyed,
            WindowAssigner<Object, ?> assigner,
            WindowShape shape,
            long latenessMillis,
            OutputTag<Row> lateTag) {
        this.keyed = keyed;
        this.assigner = assigner;
        this.shape = shape;
        this.latenessMillis = latenessMillis;
        this.lateTag = lateTag;
    }

    /**
     * How long behind the watermark a window still takes lines; each makes it fire again. Means nothing
     * for the window to the end of the stream.
     *
     * @throws IllegalArgumentException if it is negative
     */
    public WindowedLineStream allowedLateness(Duration lateness) {
        JobChecks.requireLateness(lateness);
        return new WindowedLineStream(keyed, assigner, shape, lateness.toMillis(), lateTag);
    }

    /**
     * Where lines later than that go, as rows, instead of being dropped and counted in {@code
     * numLateRecordsDropped}. Name the tag's type: {@code new OutputTag<>("late", rowType)}, where the
     * type is that of {@link LineStream#rows()}.
     *
     * @throws IllegalArgumentException if the tag of malformed lines has the same id
     */
    public WindowedLineStream sideOutputLateData(OutputTag<Row> tag) {
        JobChecks.present("tag", tag);
        OutputTag<?> malformed = keyed.reading().malformedTag();
        if (malformed != null && malformed.getId().equals(tag.getId())) {
            throw Errors.argument(
                    "late lines and malformed lines need tags of their own: id='%s'; give the tags"
                            + " different ids",
                    tag.getId());
        }
        return new WindowedLineStream(keyed, assigner, shape, latenessMillis, JobChecks.copy(tag));
    }

    /**
     * Results with their keys and windows; a result's timestamp is the last millisecond of its window.
     * The stream's side outputs are those of late and of malformed lines. A sum of integers that does
     * not fit a long fails the job, naming column, key and window.
     *
     * <p>The stream stands for two operators. Its {@code uid} is the window operator's, which has the
     * state; the operator before it, which parses and aggregates, gets the same with {@code "-local"}
     * behind it, and the parallelism of the input.
     *
     * @param aggregates of fields: {@code Aggregates.ofField("temp").min().argMax("city", "city")}; where
     *     rows are chosen, or texts compared or counted, lines are read and grouped on the host,
     *     whatever the backend
     * @throws IllegalArgumentException if a field is not in the format or not of the type that is needed, the
     *     aggregates do not fit together, or the memory limit is too small for the batches
     */
    public SingleOutputStreamOperator<WindowResult<String>> aggregate(Aggregates<Row> aggregates) {
        LineColumns columns = columns(aggregates);
        return aggregate(
                columns,
                result -> result,
                new WindowResultTypeInfo<>(Types.STRING, columns.aggregates().specs()));
    }

    /**
     * Records made of the results, at most one of each, with the same timestamps.
     *
     * @throws IllegalArgumentException as above, and if the mapper cannot be serialized
     */
    public <R> SingleOutputStreamOperator<R> aggregate(
            Aggregates<Row> aggregates, WindowMapper<String, R> mapper, TypeInformation<R> type) {
        JobChecks.present("type", type);
        return aggregate(
                columns(aggregates),
                JobChecks.cleaned(keyed.stream().getExecutionEnvironment(), "mapper", mapper),
                type);
    }

    private <R> SingleOutputStreamOperator<R> aggregate(
            LineColumns columns, WindowMapper<String, R> mapper, TypeInformation<R> type) {
        LineReading reading = keyed.reading();
        GpuOptions options = keyed.options();
        DataStream<Lines> stream = keyed.stream();
        int keyPosition = LineRows.position(reading.format(), keyed.keyField());
        KeySelector<Row, String> selector = row -> (String) row.getField(keyPosition);
        SingleOutputStreamOperator<WindowInput<String, Row>> local =
                WindowStream.chained(
                        stream.transform(
                                AGGREGATE,
                                new WindowInputTypeInfo<>(
                                        Types.STRING, LineRows.type(reading.format())),
                                Backends.operators(
                                        columns.spec(keyed.keyField(), shape, options), options)),
                        stream);
        WindowPlan<Row, String, String, R> plan =
                new WindowPlan<>(
                        assigner,
                        shape,
                        WindowTrigger.of(assigner),
                        columns.aggregates(),
                        StateKeys.unchanged(Types.STRING),
                        latenessMillis,
                        options.memoryLimitBytes(),
                        false,
                        lateTag,
                        mapper,
                        options.errorValues());
        return WindowStream.of(local, selector, true, plan, type, reading.malformedTag());
    }

    private LineColumns columns(Aggregates<Row> aggregates) {
        return new LineColumns(keyed.reading(), JobChecks.present("aggregates", aggregates));
    }
}
