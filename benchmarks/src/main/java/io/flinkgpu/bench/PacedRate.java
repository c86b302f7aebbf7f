package io.flinkgpu.bench;

import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.connector.source.lib.NumberSequenceSource.NumberSequenceSplit;
import org.apache.flink.api.connector.source.util.ratelimit.RateLimiter;
import org.apache.flink.api.connector.source.util.ratelimit.RateLimiterStrategy;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.connector.datagen.source.DataGeneratorSource;
import org.apache.flink.connector.datagen.source.GeneratorFunction;

import java.io.Serializable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

/**
 * Records at even intervals from the first one on, by tasks that do not block; one that is behind its time comes at
 * once. A record is a text, or something else, and when it was due by {@link System#nanoTime()} of this process, or
 * {@link #UNTIMED}.
 */
final class PacedRate implements RateLimiterStrategy<NumberSequenceSplit> {

    /** For records to warm up. */
    static final long UNTIMED = Long.MIN_VALUE;

    private static final long serialVersionUID = 1L;

    private final double nanosPerRecord;

    private PacedRate(double nanosPerRecord) {
        this.nanosPerRecord = nanosPerRecord;
    }

    /**
     * A source.
     *
     * @param texts are taken in turn
     * @param nanosPerRecord 0 for as fast as can be
     * @param untimed so many records at first
     * @param records in all
     */
    static DataGeneratorSource<Tuple2<Long, String>> source(
            String[] texts, double nanosPerRecord, long untimed, long records) {
        return source(texts, Types.STRING, new Shares(1, nanosPerRecord, untimed, records));
    }

    /**
     * What subtasks of a source give, each as many records as the others.
     *
     * @param subtasks of the source
     * @param nanosPerRecord of all together; 0 for as fast as can be, and then no record is due at a time
     * @param untimed so many records at first
     * @param records in all, a multiple of the subtasks
     */
    record Shares(int subtasks, double nanosPerRecord, long untimed, long records)
            implements Serializable {}

    /**
     * A source whose subtasks give the same, each from the first on.
     *
     * @param payloads are taken in turn
     */
    static <T> DataGeneratorSource<Tuple2<Long, T>> source(
            T[] payloads, TypeInformation<T> type, Shares shares) {
        return new DataGeneratorSource<>(
                new Payloads<>(payloads, shares),
                shares.records,
                shares.nanosPerRecord == 0
                        ? RateLimiterStrategy.noOp()
                        : new PacedRate(shares.nanosPerRecord * shares.subtasks),
                Types.TUPLE(Types.LONG, type));
    }

    @Override
    public RateLimiter<NumberSequenceSplit> createRateLimiter(int parallelism) {
        return new Limiter(nanosPerRecord);
    }

    private static final class Limiter implements RateLimiter<NumberSequenceSplit> {

        private final double nanosPerRecord;
        private long start;
        private long records;

        Limiter(double nanosPerRecord) {
            this.nanosPerRecord = nanosPerRecord;
        }

        @Override
        public CompletionStage<Void> acquire(int count) {
            long now = System.nanoTime();
            start = records == 0 ? now : start;
            long wait = start + (long) (records * nanosPerRecord) - now;
            records += count;
            return wait <= 0
                    ? CompletableFuture.completedFuture(null)
                    : new CompletableFuture<Void>()
                            .completeOnTimeout(null, wait, TimeUnit.NANOSECONDS);
        }
    }

    private static final class Payloads<T> implements GeneratorFunction<Long, Tuple2<Long, T>> {

        private static final long serialVersionUID = 1L;

        private final T[] payloads;
        private final double nanosPerRecord;
        private final long untimed;
        private final long records;
        private long start;

        Payloads(T[] payloads, Shares shares) {
            this.payloads = payloads;
            nanosPerRecord = shares.nanosPerRecord * shares.subtasks;
            untimed = shares.untimed / shares.subtasks;
            records = shares.records / shares.subtasks;
        }

        @Override
        public Tuple2<Long, T> map(Long ofAll) {
            // Numbers of a subtask follow each other.
            long number = ofAll % records;
            T payload = payloads[(int) (number % payloads.length)];
            if (nanosPerRecord == 0) {
                return Tuple2.of(number < untimed ? UNTIMED : 0, payload);
            }
            // No record comes before it is due, so a start that says so of one is too late.
            long latest = System.nanoTime() - (long) (number * nanosPerRecord);
            if (number == 0 || latest - start < 0) {
                start = latest;
            }
            long due = number < untimed ? UNTIMED : start + (long) (number * nanosPerRecord);
            return Tuple2.of(due, payload);
        }
    }
}
