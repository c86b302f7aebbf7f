package io.flinkgpu.bench;

import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.connector.source.lib.NumberSequenceSource.NumberSequenceSplit;
import org.apache.flink.api.connector.source.util.ratelimit.RateLimiter;
import org.apache.flink.api.connector.source.util.ratelimit.RateLimiterStrategy;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.connector.datagen.source.DataGeneratorSource;
import org.apache.flink.connector.datagen.source.GeneratorFunction;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

/**
 * Records at even intervals from the first one on, by one task that does not block; one that is behind
 * its time comes at once. A record is a text and when it was due by {@link System#nanoTime()} of this
 * process, or {@link #UNTIMED}.
 */
final class PacedRate implements RateLimiterStrategy<NumberSequenceSplit> {

    /** For records to warm up. */
    static final long UNTIMED = Long.MIN_VALUE;

    static final TypeInformation<Tuple2<Long, String>> TYPE = Types.TUPLE(Types.LONG, Types.STRING);

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
        return new DataGeneratorSource<>(
                new Texts(texts, nanosPerRecord, untimed),
                records,
                new PacedRate(nanosPerRecord),
                TYPE);
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

    private static final class Texts implements GeneratorFunction<Long, Tuple2<Long, String>> {

        private static final long serialVersionUID = 1L;

        private final String[] texts;
        private final double nanosPerRecord;
        private final long untimed;
        private long start;

        Texts(String[] texts, double nanosPerRecord, long untimed) {
            this.texts = texts;
            this.nanosPerRecord = nanosPerRecord;
            this.untimed = untimed;
        }

        @Override
        public Tuple2<Long, String> map(Long number) {
            // No record comes before it is due, so a start that says so of one is too late.
            long latest = System.nanoTime() - (long) (number * nanosPerRecord);
            if (number == 0 || latest - start < 0) {
                start = latest;
            }
            long due = number < untimed ? UNTIMED : start + (long) (number * nanosPerRecord);
            return Tuple2.of(due, texts[(int) (number % texts.length)]);
        }
    }
}
