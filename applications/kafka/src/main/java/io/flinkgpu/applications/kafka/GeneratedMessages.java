package io.flinkgpu.applications.kafka;

import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.ByteArraySerializer;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongPredicate;
import java.util.function.LongUnaryOperator;

/**
 * Log records of five services, some with a secret; among them tombstones, values that are not UTF-8, and
 * some that are longer than a limit. The number of a record says all of it, so whoever reads a topic knows
 * what has to be in it.
 */
final class GeneratedMessages {

    /** What a record's number makes of it. */
    enum Kind {
        TEXT,
        TOMBSTONE,
        NOT_UTF8,
        TOO_LONG
    }

    static final String NUMBER_HEADER = "number";

    private static final int TOMBSTONE_EVERY = 997;
    private static final int NOT_UTF8_EVERY = 1_009;
    private static final int TOO_LONG_EVERY = 5_003;
    private static final List<String> SERVICES =
            List.of("auth", "checkout", "gateway", "payments", "search");

    private final int tooLongBytes;
    private final LongUnaryOperator timestampMillis;

    /**
     * @param maxRecordBytes a record that is too long is longer than this
     * @param timestampMillis of the record with a number
     */
    GeneratedMessages(int maxRecordBytes, LongUnaryOperator timestampMillis) {
        this.tooLongBytes = maxRecordBytes + 1;
        this.timestampMillis = timestampMillis;
    }

    static Kind kind(long number) {
        if (number % TOMBSTONE_EVERY == TOMBSTONE_EVERY - 1) {
            return Kind.TOMBSTONE;
        } else if (number % NOT_UTF8_EVERY == NOT_UTF8_EVERY - 1) {
            return Kind.NOT_UTF8;
        }
        return number % TOO_LONG_EVERY == TOO_LONG_EVERY - 1 ? Kind.TOO_LONG : Kind.TEXT;
    }

    static String service(long number) {
        return SERVICES.get((int) (number % SERVICES.size()));
    }

    /** The text of a record of the kind {@code TEXT}. */
    static String text(long number) {
        String start =
                String.format(
                        Locale.ROOT,
                        "INFO [%s] request %d took %d ms",
                        service(number),
                        number,
                        number * 7 % 400);
        return switch ((int) (number % 4)) {
            case 0 -> start + " for user" + number + "@example.com";
            case 1 -> start + " paid with 4111 1111 1111 1111";
            case 2 -> start + " password=hunter2secret" + number;
            default -> start;
        };
    }

    ProducerRecord<byte[], byte[]> record(String topic, long number) {
        Headers headers = new RecordHeaders();
        headers.add(NUMBER_HEADER, ByteBuffer.allocate(8).putLong(number).array());
        headers.add("empty", null);
        return new ProducerRecord<>(
                topic,
                null,
                timestampMillis.applyAsLong(number),
                service(number).getBytes(StandardCharsets.UTF_8),
                value(number),
                headers);
    }

    private byte[] value(long number) {
        return switch (kind(number)) {
            case TOMBSTONE -> null;
            case NOT_UTF8 -> new byte[] {'p', (byte) 0xff, (byte) 0xc0};
            case TOO_LONG -> "x".repeat(tooLongBytes).getBytes(StandardCharsets.UTF_8);
            case TEXT -> text(number).getBytes(StandardCharsets.UTF_8);
        };
    }

    /**
     * Sends records, from a number on; returns when the broker has them all.
     *
     * @param perSecond how many a second; 0 for as fast as they are accepted
     * @param goesOn asked with the number of each record before it is sent; false ends it
     */
    void send(String bootstrapServers, String topic, long from, int perSecond, LongPredicate goesOn)
            throws ExecutionException, InterruptedException {
        Map<String, Object> properties =
                Map.of(
                        ProducerConfig.BOOTSTRAP_SERVERS_CONFIG,
                        bootstrapServers,
                        ProducerConfig.MAX_REQUEST_SIZE_CONFIG,
                        tooLongBytes + (1 << 16),
                        ProducerConfig.LINGER_MS_CONFIG,
                        20,
                        // A broker may be away meanwhile.
                        ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG,
                        300_000);
        ByteArraySerializer bytes = new ByteArraySerializer();
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(properties, bytes, bytes)) {
            AtomicReference<Exception> failure = new AtomicReference<>();
            long start = System.nanoTime();
            for (long i = 0; failure.get() == null && goesOn.test(from + i); i++) {
                if (perSecond > 0 && i % 16 == 0) {
                    long due = start + i * 1_000_000_000L / perSecond;
                    LockSupport.parkNanos(due - System.nanoTime());
                    if (Thread.interrupted()) {
                        throw new InterruptedException();
                    }
                }
                producer.send(
                        record(topic, from + i),
                        (metadata, error) -> failure.compareAndSet(null, error));
            }
            producer.flush();
            if (failure.get() != null) {
                throw new ExecutionException(failure.get());
            }
        }
    }
}
