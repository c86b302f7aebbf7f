package io.flinkgpu.applications.kafka;

import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The script of SQL on a real broker.
 *
 * <p>Covers: KafkaSql.
 */
@Timeout(600)
class KafkaSqlITCase {

    private static final int MESSAGES = 3_000;
    private static final Pattern COUNT =
            Pattern.compile(
                    "\\{\"service\":\"(\\w+)\",\"start\":\"[^\"]+\",\"messages\":(\\d+),.*");

    @TempDir private Path folder;

    @Test
    void eachMessageIsRedactedOnceAndCountedOnce() throws Exception {
        Path kafka = Files.createDirectory(folder.resolve("kafka"));
        try (KafkaBroker broker = KafkaBroker.start(kafka)) {
            String out = run(broker);
            assertThat(out).contains("logs-redacted: 3,000 records");

            Map<Long, ConsumerRecord<byte[], byte[]>> redacted = new TreeMap<>();
            for (ConsumerRecord<byte[], byte[]> record : read(broker, Topics.DEFAULT.redacted())) {
                long number =
                        ByteBuffer.wrap(
                                        record.headers()
                                                .lastHeader(GeneratedMessages.NUMBER_HEADER)
                                                .value())
                                .getLong();
                assertThat(redacted.put(number, record)).as("message %s again", number).isNull();
            }
            assertThat(redacted).hasSize(MESSAGES);
            long first = redacted.get(0L).timestamp();
            redacted.forEach((number, record) -> check(number, record, first));
            assertThat(counted(broker)).isEqualTo(sent());
        }
    }

    @Test
    void callersMistakesAreNamed() {
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        String[] options = {"--script", "no/such.sql", "--parallelism", "0"};
        assertThat(KafkaSql.run(options, stream(new ByteArrayOutputStream()), stream(err)))
                .isEqualTo(2);
        assertThat(err.toString(StandardCharsets.UTF_8)).contains("--parallelism");
        err.reset();
        String[] script = {"--script", "no/such.sql"};
        assertThat(KafkaSql.run(script, stream(new ByteArrayOutputStream()), stream(err)))
                .isEqualTo(2);
        assertThat(err.toString(StandardCharsets.UTF_8))
                .contains("cannot read script 'no/such.sql'");
    }

    private static String run(KafkaBroker broker) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        String[] options = {
            "--bootstrap-servers",
            broker.bootstrapServers(),
            "--generate",
            Integer.toString(MESSAGES),
            "--parallelism",
            "2"
        };
        int code = KafkaSql.run(options, stream(out), stream(err));
        assertThat(err.toString(StandardCharsets.UTF_8)).isEmpty();
        assertThat(code).isZero();
        return out.toString(StandardCharsets.UTF_8);
    }

    private static void check(long number, ConsumerRecord<byte[], byte[]> record, long first) {
        assertThat(record.timestamp()).isEqualTo(first + number * 10);
        assertThat(record.key()).asString().isEqualTo(GeneratedMessages.service(number));
        switch (GeneratedMessages.kind(number)) {
            case TEXT ->
                    assertThat(record.value())
                            .asString()
                            .isEqualTo(Ledger.redactedText((int) number));
            case TOMBSTONE -> assertThat(record.value()).isNull();
            // The raw format takes values as they are: there are no dead letters in SQL.
            case NOT_UTF8 -> assertThat(record.value()).hasSize(3).startsWith('p');
            case TOO_LONG -> assertThat(record.value()).hasSizeGreaterThan(100_000);
        }
    }

    private static Map<String, Long> counted(KafkaBroker broker) throws Exception {
        Map<String, Long> counts = new HashMap<>();
        for (ConsumerRecord<byte[], byte[]> record : read(broker, Topics.DEFAULT.statistics())) {
            Matcher count = COUNT.matcher(new String(record.value(), StandardCharsets.UTF_8));
            assertThat(count.matches()).isTrue();
            counts.merge(count.group(1), Long.valueOf(count.group(2)), Long::sum);
        }
        return counts;
    }

    private static Map<String, Long> sent() {
        Map<String, Long> counts = new HashMap<>();
        for (long number = 0; number < MESSAGES; number++) {
            counts.merge(GeneratedMessages.service(number), 1L, Long::sum);
        }
        return counts;
    }

    private static List<ConsumerRecord<byte[], byte[]>> read(KafkaBroker broker, String topic)
            throws Exception {
        List<ConsumerRecord<byte[], byte[]>> all = new ArrayList<>();
        try (CommittedRecords records = new CommittedRecords(broker.bootstrapServers(), topic)) {
            records.readToEnd(all::add);
        }
        return all;
    }

    private static PrintStream stream(ByteArrayOutputStream bytes) {
        return new PrintStream(bytes, true, StandardCharsets.UTF_8);
    }
}
