package io.flinkgpu;

import io.flinkgpu.api.AggregateValues;
import io.flinkgpu.api.Aggregates;
import io.flinkgpu.api.ErrorValues;
import io.flinkgpu.api.Errors;
import io.flinkgpu.api.ResultSchema;
import io.flinkgpu.api.ValueSpec;
import io.flinkgpu.api.WindowResult;
import io.flinkgpu.api.WindowResultTypeInfo;
import io.flinkgpu.cells.RowCells;
import io.flinkgpu.column.BadValueException;
import io.flinkgpu.column.RowValues;
import io.flinkgpu.column.ValueReader;
import io.flinkgpu.state.Partial;
import io.flinkgpu.state.PartialTypeInfo;

import org.apache.flink.annotation.PublicEvolving;
import org.apache.flink.api.common.functions.AggregateFunction;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.streaming.api.functions.windowing.WindowFunction;
import org.apache.flink.streaming.api.windowing.windows.GlobalWindow;
import org.apache.flink.streaming.api.windowing.windows.TimeWindow;
import org.apache.flink.streaming.api.windowing.windows.Window;
import org.apache.flink.util.Collector;

/**
 * The same aggregates for Flink's own window operator, with the same accumulators: the way in and the
 * way out. A savepoint of
 *
 * <pre>{@code
 * ExactAggregate<Reading> exact = new ExactAggregate<>(aggregates);
 * stream.keyBy(Reading::sensor)
 *         .window(..)
 *         .aggregate(exact, exact.toResult(), exact.accumulatorType(), exact.resultType(Types.STRING))
 *         .uid("..")
 * }</pre>
 *
 * restores into {@code GpuStreams.on(stream).keyBy(..).window(..).aggregate(aggregates).uid("..")} and
 * back.
 */
@PublicEvolving
public final class ExactAggregate<T> implements AggregateFunction<T, Partial, AggregateValues> {

    private static final long serialVersionUID = 1L;

    /** Nothing that this class computes is by time. */
    private static final long NO_TIME = 0;

    private final Aggregates<T> aggregates;
    private final ResultSchema schema;
    private transient ValueReader<T> reader;
    private transient RowCells cells;
    private transient RowValues row;

    /**
     * @throws IllegalArgumentException if the aggregates do not fit together, or need timestamps, which
     *     Flink does not give an {@code AggregateFunction}
     */
    public ExactAggregate(Aggregates<T> aggregates) {
        if (JobChecks.present("aggregates", aggregates).isByTime()) {
            throw Errors.argument(
                    "first() and last() need the timestamp of a record, which an AggregateFunction is"
                            + " not given: columns=%s; ask for argMin(..) or argMax(..) of a"
                            + " column that has the time",
                    aggregates.specs().stream().map(ValueSpec::name).toList());
        }
        this.aggregates = aggregates.checked();
        schema = new ResultSchema(aggregates.specs());
    }

    @Override
    public Partial createAccumulator() {
        return new Partial(schema.specs());
    }

    /**
     * Adds a record's values to a partial, which is changed.
     *
     * @throws IllegalArgumentException if a value cannot be aggregated, with the name of the column;
     *     the partial stays as it is then
     */
    @Override
    public Partial add(T record, Partial partial) {
        if (reader == null) {
            reader = new ValueReader<>(aggregates, ErrorValues.HIDDEN);
            cells = new RowCells(schema.specs());
            row = cells.newRow();
        }
        try {
            reader.read(record, row);
            cells.fill(row, NO_TIME);
        } catch (BadValueException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
        partial.add(row);
        return partial;
    }

    /**
     * @throws ArithmeticException if a sum of integers does not fit a long, with the name of the column
     */
    @Override
    public AggregateValues getResult(Partial partial) {
        return new AggregateValues(schema, partial.results(schema.specs()));
    }

    /** Merges {@code b} into {@code a}, which is changed. */
    @Override
    public Partial merge(Partial a, Partial b) {
        a.merge(b);
        return a;
    }

    /** Adds the key and the window, a {@link TimeWindow} or {@link GlobalWindow}, to the results. */
    public <K, W extends Window> WindowFunction<AggregateValues, WindowResult<K>, K, W> toResult() {
        return new ToResult<>();
    }

    /** The type of the partials, to be given to {@code aggregate(..)}. */
    public TypeInformation<Partial> accumulatorType() {
        return new PartialTypeInfo(schema.specs());
    }

    /** The type of what {@link #toResult} gives for keys of a type. */
    public <K> TypeInformation<WindowResult<K>> resultType(TypeInformation<K> keyType) {
        return new WindowResultTypeInfo<>(keyType, schema.specs());
    }

    private static final class ToResult<K, W extends Window>
            implements WindowFunction<AggregateValues, WindowResult<K>, K, W> {

        private static final long serialVersionUID = 1L;

        @Override
        public void apply(
                K key, W window, Iterable<AggregateValues> input, Collector<WindowResult<K>> out) {
            AggregateValues values = input.iterator().next();
            if (window instanceof TimeWindow time) {
                out.collect(new WindowResult<>(key, time.getStart(), time.getEnd(), values));
            } else if (window instanceof GlobalWindow) {
                out.collect(new WindowResult<>(key, Long.MIN_VALUE, Long.MAX_VALUE, values));
            } else {
                throw Errors.argument(
                        "a window must be a TimeWindow or GlobalWindow: window=%s; use a"
                                + " ProcessWindowFunction of your own",
                        window);
            }
        }
    }
}
