package io.flinkgpu;

import io.flinkgpu.api.AggregateValues;
import io.flinkgpu.api.Aggregates;
import io.flinkgpu.api.WindowResult;
import io.flinkgpu.state.Partial;

import org.apache.flink.api.common.functions.AggregateFunction;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.streaming.api.functions.windowing.ProcessWindowFunction;
import org.apache.flink.streaming.api.windowing.windows.Window;

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
public final class ExactAggregate<T> implements AggregateFunction<T, Partial, AggregateValues> {

    private static final long serialVersionUID = 1L;

    public ExactAggregate(Aggregates<T> aggregates) {}

    @Override
    public Partial createAccumulator() {
        throw new UnsupportedOperationException();
    }

    @Override
    public Partial add(T record, Partial partial) {
        throw new UnsupportedOperationException();
    }

    @Override
    public AggregateValues getResult(Partial partial) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Partial merge(Partial a, Partial b) {
        throw new UnsupportedOperationException();
    }

    /** Adds the key and the window to the results. */
    public <K, W extends Window>
            ProcessWindowFunction<AggregateValues, WindowResult<K>, K, W> toResult() {
        throw new UnsupportedOperationException();
    }

    public TypeInformation<Partial> accumulatorType() {
        throw new UnsupportedOperationException();
    }

    public <K> TypeInformation<WindowResult<K>> resultType(TypeInformation<K> keyType) {
        throw new UnsupportedOperationException();
    }
}
