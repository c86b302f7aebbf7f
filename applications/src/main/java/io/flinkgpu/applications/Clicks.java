package io.flinkgpu.applications;

import org.apache.flink.api.common.functions.MapFunction;

import java.util.concurrent.locks.LockSupport;

/** Made-up samples by number, at a rate: but for when they were made, the same number gives the same sample. */
final class Clicks implements MapFunction<Long, Click> {

    static final int NUMBERS = 13;

    private static final long serialVersionUID = 1L;

    private static final long SECOND_NANOS = 1_000_000_000;

    private final ClickTables tables;
    private final int rate;
    private transient long startNanos;
    private transient boolean started;

    /**
     * @param rate samples a second; 0 for any
     */
    Clicks(ClickTables tables, int rate) {
        this.tables = tables;
        this.rate = rate;
    }

    @Override
    public Click map(Long number) {
        if (rate > 0) {
            await(number);
        }
        return click(number, System.nanoTime());
    }

    private void await(long number) {
        if (!started) {
            startNanos = System.nanoTime() - number * SECOND_NANOS / rate;
            started = true;
        }
        long due = startNanos + number * SECOND_NANOS / rate;
        while (due - System.nanoTime() > 0 && !Thread.currentThread().isInterrupted()) {
            LockSupport.parkNanos(due - System.nanoTime());
        }
    }

    Click click(long number, long madeNanos) {
        SplitMix random = new SplitMix(SplitMix.mix(number));
        float[] numbers = new float[NUMBERS];
        for (int i = 0; i < NUMBERS; i++) {
            numbers[i] = Weights.number(random, 1);
        }
        long[] ids = new long[ClickTables.COUNT];
        for (int table = 0; table < ids.length; table++) {
            ids[table] = tables.drawn(table, random.next());
        }
        return new Click(number, madeNanos, numbers, ids);
    }
}
