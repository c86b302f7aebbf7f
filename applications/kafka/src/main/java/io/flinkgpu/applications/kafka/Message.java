package io.flinkgpu.applications.kafka;

import java.nio.charset.StandardCharsets;

/**
 * A record of a topic, with all that is kept of it.
 *
 * @param timestampMillis of Kafka's record
 * @param key null if there is none
 * @param text the value; null for a tombstone, and where there is a problem
 * @param headerNames in the order of the record
 * @param headerValues one for each name; null where the header has none
 * @param valueBytes length of the value that was read
 * @param problem why the record goes to the dead letters; null if it does not. Never what it says
 */
public record Message(
        String topic,
        int partition,
        long offset,
        long timestampMillis,
        byte[] key,
        String text,
        String[] headerNames,
        byte[][] headerValues,
        int valueBytes,
        String problem) {

    /** The same record with another text. */
    public Message withText(String redacted) {
        return new Message(
                topic,
                partition,
                offset,
                timestampMillis,
                key,
                redacted,
                headerNames,
                headerValues,
                valueBytes,
                problem);
    }

    /** The same record for the dead letters. */
    Message refused(String why) {
        return new Message(
                topic,
                partition,
                offset,
                timestampMillis,
                key,
                null,
                headerNames,
                headerValues,
                valueBytes,
                why);
    }

    /** The key as text, with {@code U+FFFD} for bytes that are none; empty if there is no key. */
    String keyText() {
        return key == null ? "" : new String(key, StandardCharsets.UTF_8);
    }

    /** UTF-16 units of the text; 0 for a tombstone. */
    int chars() {
        return text == null ? 0 : text.length();
    }

    /** Bytes of key and headers, as Kafka counts them, or some more. */
    long keyAndHeaderBytes() {
        long bytes = 128L + (key == null ? 0 : key.length);
        for (int i = 0; i < headerNames.length; i++) {
            byte[] value = headerValues[i];
            bytes += 16L + 3L * headerNames[i].length() + (value == null ? 0 : value.length);
        }
        return bytes;
    }
}
