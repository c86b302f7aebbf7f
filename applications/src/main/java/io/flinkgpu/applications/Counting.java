package io.flinkgpu.applications;

import org.apache.flink.api.common.accumulators.LongCounter;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.functions.RichMapFunction;

/** Passes records on and counts them in an accumulator, which reaches the client with the result. */
final class Counting<T> extends RichMapFunction<T, T> {

    private static final long serialVersionUID = 1L;

    private final String accumulator;
    private transient LongCounter counter;

    Counting(String accumulator) {
        this.accumulator = accumulator;
    }

    @Override
    public void open(OpenContext context) {
        counter = getRuntimeContext().getLongCounter(accumulator);
    }

    @Override
    public T map(T record) {
        counter.add(1);
        return record;
    }
}
