package io.flinkgpu.applications.kafka;

import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Audits the outputs of a job that reads {@link GeneratedMessages}: which numbers came, how often, and
 * whether with the right bytes. What is right is written here by hand; no rule and no engine is asked.
 */
final class Ledger {

    private static final Pattern PLACE =
            Pattern.compile("\\{\"topic\":\"[^\"]+\",\"partition\":(\\d+),\"offset\":(\\d+),.*");
    private static final Pattern WINDOW =
            Pattern.compile("\\{\"key\":\"(\\w+)\",\"start\":(\\d+),.*\"count\":(\\d+),.*\\}");
    private static final long START_MILLIS =
            System.currentTimeMillis() / 10_000 * 10_000 - Duration.ofHours(12).toMillis();
    private static final String[] SECRETS = {"@example.com", "4111 1111", "hunter2"};

    private final BitSet seen = new BitSet();
    private final Set<String> deadPlaces = new HashSet<>();
    private final Map<String, Long> counted = new HashMap<>();
    private final Set<String> windows = new HashSet<>();
    private int lowestMissing;
    private long twice;
    private long unredacted;
    private long changed;

    /**
     * When a message was: a hundred a second, from half a day ago on. A broker forgets a producer whose newest
     * record is a day old by its timestamp, also one that has just sent it, and then takes what that sends
     * again as new; and it refuses records of the future.
     */
    static long timestampMillis(long number) {
        return START_MILLIS + number * 10;
    }

    /** Takes a record of the topic of redacted messages. */
    void redacted(ConsumerRecord<byte[], byte[]> record) {
        int number = number(record);
        if (seen.get(number)) {
            twice++;
        }
        seen.set(number);
        String text = record.value() == null ? null : utf8(record.value());
        if (text != null && leaks(text)) {
            unredacted++;
        }
        boolean same =
                Objects.equals(text, redactedText(number))
                        && utf8(record.key()).equals(GeneratedMessages.service(number))
                        && record.timestamp() == timestampMillis(number)
                        && record.headers().toArray().length == 2
                        && record.headers().lastHeader("empty").value() == null;
        if (!same) {
            changed++;
        }
    }

    /** Takes a record of the topic of dead letters. */
    void deadLetter(ConsumerRecord<byte[], byte[]> record) {
        String text = utf8(record.value());
        Matcher place = PLACE.matcher(text);
        if (!place.matches()) {
            changed++;
        } else if (!deadPlaces.add(place.group(1) + "@" + place.group(2))) {
            twice++;
        }
        if (leaks(text) || text.contains("xxxx")) {
            unredacted++;
        }
    }

    /** Takes a record of the topic of statistics. */
    void statistics(ConsumerRecord<byte[], byte[]> record) {
        Matcher window = WINDOW.matcher(utf8(record.value()));
        if (!window.matches()) {
            changed++;
            return;
        }
        if (!windows.add(window.group(1) + "@" + window.group(2))) {
            twice++;
        }
        counted.merge(window.group(1), Long.valueOf(window.group(3)), Long::sum);
    }

    /** Whether all messages from 0 to {@code end - 1} that are to come have come. */
    boolean hasAll(long end) {
        while (lowestMissing < end && !misses(lowestMissing)) {
            lowestMissing++;
        }
        return lowestMissing >= end;
    }

    /** How many of the messages from 0 to {@code end - 1} have not come. */
    long lost(long end) {
        long lost = 0;
        for (int number = 0; number < end; number++) {
            if (misses(number)) {
                lost++;
            }
        }
        return lost;
    }

    /** Whether a message is to come, and has not. */
    boolean misses(int number) {
        return isKept(number) && !seen.get(number);
    }

    /** How many messages have come. */
    int count() {
        return seen.cardinality();
    }

    /** Records that came again, in any of the outputs. */
    long twice() {
        return twice;
    }

    /** Records with a secret, in any of the outputs. */
    long unredacted() {
        return unredacted;
    }

    /** Records whose bytes, key, headers or timestamp are not as they should be. */
    long changed() {
        return changed;
    }

    int deadLetters() {
        return deadPlaces.size();
    }

    /** Dead letters that there have to be of the messages from 0 to {@code end - 1}. */
    static int deadLetters(long end) {
        int count = 0;
        for (int number = 0; number < end; number++) {
            count += isKept(number) ? 0 : 1;
        }
        return count;
    }

    /** Messages that the windows have counted, by service. */
    Map<String, Long> counted() {
        return counted;
    }

    /** What the windows have to count of the messages from 0 to {@code end - 1}, by service. */
    static Map<String, Long> counted(long end) {
        Map<String, Long> counts = new HashMap<>();
        for (int number = 0; number < end; number++) {
            if (isKept(number)) {
                counts.merge(GeneratedMessages.service(number), 1L, Long::sum);
            }
        }
        return counts;
    }

    private static boolean isKept(int number) {
        return switch (GeneratedMessages.kind(number)) {
            case TEXT, TOMBSTONE -> true;
            case NOT_UTF8, TOO_LONG -> false;
        };
    }

    private static boolean leaks(String text) {
        for (String secret : SECRETS) {
            if (text.contains(secret)) {
                return true;
            }
        }
        return false;
    }

    /** What the default rules have to make of a message; null for a tombstone. */
    static String redactedText(int number) {
        if (GeneratedMessages.kind(number) == GeneratedMessages.Kind.TOMBSTONE) {
            return null;
        }
        String start =
                "INFO ["
                        + GeneratedMessages.service(number)
                        + "] request "
                        + number
                        + " took "
                        + number * 7L % 400
                        + " ms";
        return switch (number % 4) {
            case 0 -> start + " for [EMAIL]";
            case 1 -> start + " paid with ***************1111";
            case 2 -> start + " [SECRET]";
            default -> start;
        };
    }

    /** Of a message, or of what the job has made of it. */
    static int number(ConsumerRecord<byte[], byte[]> record) {
        Header header = record.headers().lastHeader(GeneratedMessages.NUMBER_HEADER);
        return Math.toIntExact(ByteBuffer.wrap(header.value()).getLong());
    }

    private static String utf8(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
