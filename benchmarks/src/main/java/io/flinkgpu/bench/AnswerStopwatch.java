package io.flinkgpu.bench;

import org.apache.flink.api.common.accumulators.LongCounter;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.functions.RichFilterFunction;
import org.apache.flink.api.java.tuple.Tuple2;

/**
 * Counts how late scores are, and when the first and the last came; lets none pass. A score comes with when it was due
 * by {@link System#nanoTime()}, or {@link PacedRate#UNTIMED}. All are added up by their bits.
 */
final class AnswerStopwatch extends RichFilterFunction<Tuple2<Long, Float>> {

    static final String LATENCY = "latency";
    static final String TIMES = "times";
    static final String BITS = "bits";

    private static final long serialVersionUID = 1L;

    private transient LatencyCounts latencies;
    private transient Times times;
    private transient LongCounter bits;

    @Override
    public void open(OpenContext context) {
        latencies = new LatencyCounts();
        times = new Times();
        bits = new LongCounter();
        getRuntimeContext().addAccumulator(LATENCY, latencies);
        getRuntimeContext().addAccumulator(TIMES, times);
        getRuntimeContext().addAccumulator(BITS, bits);
    }

    @Override
    public boolean filter(Tuple2<Long, Float> answer) {
        bits.add(Float.floatToIntBits(answer.f1));
        if (answer.f0 != PacedRate.UNTIMED) {
            long now = System.nanoTime();
            latencies.count((now - answer.f0) / 1_000);
            times.add(now);
        }
        return false;
    }
}
