package io.flinkgpu.applications.kafka;

import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;

import static java.util.stream.Collectors.toMap;

/** What committed transactions have written to a topic, from its beginning on. Not thread-safe. */
final class CommittedRecords implements AutoCloseable {

    private static final Duration POLL = Duration.ofMillis(200);

    private static final Duration OPEN_LIMIT = Duration.ofSeconds(20);

    private final Admin admin;
    private final KafkaConsumer<byte[], byte[]> consumer;
    private final List<TopicPartition> partitions;

    CommittedRecords(String bootstrapServers, String topic) {
        Map<String, Object> properties =
                Map.of(
                        ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG,
                        bootstrapServers,
                        ConsumerConfig.ISOLATION_LEVEL_CONFIG,
                        "read_committed",
                        ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG,
                        false,
                        ConsumerConfig.AUTO_OFFSET_RESET_CONFIG,
                        "earliest");
        admin = Topics.admin(bootstrapServers);
        ByteArrayDeserializer bytes = new ByteArrayDeserializer();
        consumer = new KafkaConsumer<>(properties, bytes, bytes);
        partitions =
                consumer.partitionsFor(topic).stream()
                        .map(partition -> new TopicPartition(topic, partition.partition()))
                        .toList();
        consumer.assign(partitions);
        consumer.seekToBeginning(partitions);
    }

    /** Reads what was committed since the last call, or some of it; returns how many records. */
    long poll(Consumer<ConsumerRecord<byte[], byte[]>> reader) {
        long count = 0;
        for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
            reader.accept(record);
            count++;
        }
        return count;
    }

    /**
     * Reads to where the topic ends now; returns how many records. A transaction that was committed a
     * moment ago becomes visible only when the broker has marked it in each partition, so this waits
     * for transactions that are open, unless they stay so for too long.
     */
    long readToEnd(Consumer<ConsumerRecord<byte[], byte[]>> reader)
            throws ExecutionException, InterruptedException {
        Map<TopicPartition, ListOffsetsResultInfo> ends =
                admin.listOffsets(
                                partitions.stream()
                                        .collect(toMap(p -> p, p -> OffsetSpec.latest())),
                                new ListOffsetsOptions(IsolationLevel.READ_UNCOMMITTED))
                        .all()
                        .get();
        long count = 0;
        long deadline = System.nanoTime() + OPEN_LIMIT.toNanos();
        while (partitions.stream().anyMatch(p -> consumer.position(p) < ends.get(p).offset())
                && System.nanoTime() < deadline) {
            long read = poll(reader);
            count += read;
            if (read > 0) {
                deadline = System.nanoTime() + OPEN_LIMIT.toNanos();
            }
        }
        return count;
    }

    @Override
    public void close() {
        consumer.close();
        admin.close();
    }
}
