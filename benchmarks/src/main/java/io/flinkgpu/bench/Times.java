package io.flinkgpu.bench;

import org.apache.flink.api.common.accumulators.Accumulator;

/** How many moments there were, the first and the last by {@link System#nanoTime()}. */
final class Times implements Accumulator<Long, long[]> {

    private static final long serialVersionUID = 1L;

    private long count;
    private long first;
    private long last;

    @Override
    public void add(Long nanos) {
        first = count == 0 ? nanos : Math.min(first, nanos);
        last = count == 0 ? nanos : Math.max(last, nanos);
        count++;
    }

    @Override
    public long[] getLocalValue() {
        return new long[] {count, first, last};
    }

    @Override
    public void resetLocal() {
        count = 0;
    }

    @Override
    public void merge(Accumulator<Long, long[]> other) {
        long[] others = other.getLocalValue();
        if (others[0] > 0) {
            add(others[1]);
            add(others[2]);
            count += others[0] - 2;
        }
    }

    @Override
    public Times clone() {
        Times copy = new Times();
        copy.count = count;
        copy.first = first;
        copy.last = last;
        return copy;
    }
}
