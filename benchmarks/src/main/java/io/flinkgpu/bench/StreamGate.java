package io.flinkgpu.bench;

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
import java.util.concurrent.atomic.AtomicLong;

/**
 * Sources of a job in this process: queries and changes come at even intervals once all documents have come,
 * which is when the gate opens. One job at a time.
 */
final class StreamGate {

    /** What is on its way when the last document is made is in the corpus by then. */
    private static final long SETTLE_NANOS = 3_000_000_000L;

    private static final double PER_SECOND = 1e9;
    private static final AtomicLong DOCUMENTS = new AtomicLong();

    private static volatile CompletableFuture<Long> opened = new CompletableFuture<>();

    private StreamGate() {}

    /** Before a job. */
    static void close() {
        DOCUMENTS.set(0);
        opened = new CompletableFuture<>();
    }

    /** When the last document was made, by {@link System#nanoTime()}. */
    static long openedNanos() {
        return opened.join();
    }

    /** The numbers of documents, as fast as can be. */
    static DataGeneratorSource<Long> documents(long documents) {
        return new DataGeneratorSource<>(new Documents(documents), documents, Types.LONG);
    }

    /** Numbers from that of the documents on. */
    static DataGeneratorSource<Long> changes(long documents, long changes, long perSecond) {
        return new DataGeneratorSource<>(
                number -> documents + number, changes, new Paced(perSecond), Types.LONG);
    }

    /**
     * When a query was due by {@link System#nanoTime()}, and its number.
     *
     * @param untimed the first ones are due {@link PacedRate#UNTIMED}
     */
    static DataGeneratorSource<Tuple2<Long, Long>> queries(
            long queries, long untimed, long perSecond) {
        return new DataGeneratorSource<>(
                new Queries(untimed, PER_SECOND / perSecond),
                queries,
                new Paced(perSecond),
                Types.TUPLE(Types.LONG, Types.LONG));
    }

    private static final class Documents implements GeneratorFunction<Long, Long> {

        private static final long serialVersionUID = 1L;

        private final long documents;

        Documents(long documents) {
            this.documents = documents;
        }

        @Override
        public Long map(Long number) {
            if (DOCUMENTS.incrementAndGet() == documents) {
                opened.complete(System.nanoTime());
            }
            return number;
        }
    }

    private static final class Queries implements GeneratorFunction<Long, Tuple2<Long, Long>> {

        private static final long serialVersionUID = 1L;

        private final long untimed;
        private final double nanosPerQuery;
        private long start;

        Queries(long untimed, double nanosPerQuery) {
            this.untimed = untimed;
            this.nanosPerQuery = nanosPerQuery;
        }

        @Override
        public Tuple2<Long, Long> map(Long number) {
            // No query comes before it is due, so a start that says so of one is too late.
            long latest = System.nanoTime() - (long) (number * nanosPerQuery);
            if (number == 0 || latest - start < 0) {
                start = latest;
            }
            long due =
                    number < untimed ? PacedRate.UNTIMED : start + (long) (number * nanosPerQuery);
            return Tuple2.of(due, number);
        }
    }

    private static final class Paced implements RateLimiterStrategy<NumberSequenceSplit> {

        private static final long serialVersionUID = 1L;

        private final double nanosPerRecord;

        Paced(long perSecond) {
            nanosPerRecord = PER_SECOND / perSecond;
        }

        @Override
        public RateLimiter<NumberSequenceSplit> createRateLimiter(int parallelism) {
            return new Limiter(nanosPerRecord);
        }
    }

    private static final class Limiter implements RateLimiter<NumberSequenceSplit> {

        private final double nanosPerRecord;
        private volatile long start;
        private long records;

        Limiter(double nanosPerRecord) {
            this.nanosPerRecord = nanosPerRecord;
        }

        @Override
        public CompletionStage<Void> acquire(int count) {
            if (records == 0) {
                records = count;
                return opened.thenComposeAsync(last -> later(SETTLE_NANOS))
                        .thenRun(() -> start = System.nanoTime());
            }
            long wait = start + (long) (records * nanosPerRecord) - System.nanoTime();
            records += count;
            return wait <= 0 ? CompletableFuture.completedFuture(null) : later(wait);
        }

        private static CompletableFuture<Void> later(long nanos) {
            return new CompletableFuture<Void>()
                    .completeOnTimeout(null, nanos, TimeUnit.NANOSECONDS);
        }
    }
}
