package io.flinkgpu.applications.kafka;

import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutionException;

/** What committed transactions have written to topics. */
final class TopicExcerpts {

    private final String bootstrapServers;
    private final PrintStream out;

    TopicExcerpts(String bootstrapServers, PrintStream out) {
        this.bootstrapServers = bootstrapServers;
        this.out = out;
    }

    /** Prints how many records each output has, and the first of them. */
    void print(Topics topics, int shown) throws ExecutionException, InterruptedException {
        for (String topic : List.of(topics.redacted(), topics.statistics(), topics.deadLetters())) {
            List<String> first = new ArrayList<>();
            long count;
            try (CommittedRecords records = new CommittedRecords(bootstrapServers, topic)) {
                count =
                        records.readToEnd(
                                record -> {
                                    if (first.size() < shown) {
                                        first.add(text(record.value()));
                                    }
                                });
            }
            out.println();
            out.printf(Locale.ROOT, "%s: %,d records%n", topic, count);
            first.forEach(line -> out.println("  " + line));
        }
    }

    private static String text(byte[] value) {
        String text = value == null ? "(tombstone)" : new String(value, StandardCharsets.UTF_8);
        return text.replaceAll("\\p{Cntrl}", " ");
    }
}
