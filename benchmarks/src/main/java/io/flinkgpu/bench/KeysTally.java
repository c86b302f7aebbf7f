package io.flinkgpu.bench;

import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.api.connector.sink2.SinkWriter;
import org.apache.flink.api.connector.sink2.WriterInitContext;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A sink that adds up what it gets and throws it away. For one job of this process at a time.
 *
 * <p>A result is four numbers, of which the first is 1: the sums are how many there were, and a checksum
 * that does not depend on their order.
 */
final class KeysTally implements Sink<long[]> {

    private static final long serialVersionUID = 1L;

    /** Numbers of a result. */
    static final int WIDTH = 4;

    private static final AtomicReference<long[]> TOTAL = new AtomicReference<>(new long[WIDTH]);

    /** The sums since the last call. */
    static long[] take() {
        return TOTAL.getAndSet(new long[WIDTH]);
    }

    /** A window's result. */
    static long[] window(
            long key, long startMillis, long count, double min, double mean, double max) {
        long hash = mix(key) + startMillis;
        hash = mix(hash) + Double.doubleToLongBits(min);
        hash = mix(hash) + Double.doubleToLongBits(mean);
        hash = mix(hash) + Double.doubleToLongBits(max);
        return new long[] {1, count, mix(hash + count), 0};
    }

    /** A bijection whose results look random. */
    static long mix(long number) {
        long z = (number + 1) * 0x9E3779B97F4A7C15L;
        z = (z ^ z >>> 30) * 0xBF58476D1CE4E5B9L;
        z = (z ^ z >>> 27) * 0x94D049BB133111EBL;
        return z ^ z >>> 31;
    }

    @Override
    public SinkWriter<long[]> createWriter(WriterInitContext context) {
        return new Writer();
    }

    private static final class Writer implements SinkWriter<long[]> {

        private final long[] sums = new long[WIDTH];

        @Override
        public void write(long[] result, Context context) {
            for (int i = 0; i < WIDTH; i++) {
                sums[i] += result[i];
            }
        }

        @Override
        public void flush(boolean endOfInput) {
            long[] more = sums.clone();
            Arrays.fill(sums, 0);
            TOTAL.updateAndGet(total -> sum(total, more));
        }

        private static long[] sum(long[] a, long[] b) {
            long[] sum = new long[WIDTH];
            for (int i = 0; i < WIDTH; i++) {
                sum[i] = a[i] + b[i];
            }
            return sum;
        }

        @Override
        public void close() {}
    }
}
