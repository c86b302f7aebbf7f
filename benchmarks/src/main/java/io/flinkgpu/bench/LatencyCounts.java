package io.flinkgpu.bench;

import org.apache.flink.api.common.accumulators.Accumulator;

/** How often each latency was seen, to a 64th of it. */
final class LatencyCounts implements Accumulator<Long, long[]> {

    private static final long serialVersionUID = 1L;

    private static final int STEPS = 64;
    private static final int STEP_BITS = 6;

    private long[] counts = new long[STEPS * 60];

    @Override
    public void add(Long micros) {
        count(micros);
    }

    void count(long micros) {
        counts[index(Math.max(0, micros))]++;
    }

    /** The latency that a part of all are not above, in microseconds; 0 if there are none. */
    static long percentile(long[] counts, double part) {
        long all = 0;
        for (long count : counts) {
            all += count;
        }
        long left = (long) Math.ceil(all * part);
        for (int i = 0; i < counts.length; i++) {
            left -= counts[i];
            if (left <= 0) {
                return micros(i);
            }
        }
        return 0;
    }

    private static int index(long micros) {
        if (micros < 2 * STEPS) {
            return (int) micros;
        }
        int power = Long.SIZE - 1 - Long.numberOfLeadingZeros(micros) - STEP_BITS;
        return STEPS * power + (int) (micros >> power);
    }

    private static long micros(int index) {
        if (index < 2 * STEPS) {
            return index;
        }
        int power = index / STEPS - 1;
        return (long) (index - STEPS * power) << power;
    }

    @Override
    public long[] getLocalValue() {
        return counts;
    }

    @Override
    public void resetLocal() {
        counts = new long[counts.length];
    }

    @Override
    public void merge(Accumulator<Long, long[]> other) {
        long[] others = other.getLocalValue();
        for (int i = 0; i < counts.length; i++) {
            counts[i] += others[i];
        }
    }

    @Override
    public LatencyCounts clone() {
        LatencyCounts copy = new LatencyCounts();
        copy.counts = counts.clone();
        return copy;
    }
}
