package io.flinkgpu.applications.kafka;

import org.apache.flink.connector.kafka.lineage.DefaultKafkaDatasetFacet;
import org.apache.flink.connector.kafka.lineage.DefaultKafkaDatasetIdentifier;
import org.apache.flink.connector.kafka.lineage.KafkaDatasetFacet;
import org.apache.flink.connector.kafka.lineage.KafkaDatasetFacetProvider;
import org.apache.flink.connector.kafka.sink.KafkaRecordSerializationSchema;

import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/** Writes a message with its key, headers and timestamp; a tombstone stays one. */
final class MessageWriter
        implements KafkaRecordSerializationSchema<Message>, KafkaDatasetFacetProvider {

    private static final long serialVersionUID = 1L;

    private final String topic;

    MessageWriter(String topic) {
        this.topic = topic;
    }

    /** The sink has to know its topics to find the transactions that a failed job left open. */
    @Override
    public Optional<KafkaDatasetFacet> getKafkaDatasetFacet() {
        return Optional.of(
                new DefaultKafkaDatasetFacet(
                        DefaultKafkaDatasetIdentifier.ofTopics(List.of(topic))));
    }

    @Override
    public ProducerRecord<byte[], byte[]> serialize(
            Message message, KafkaSinkContext context, Long timestamp) {
        RecordHeaders headers = new RecordHeaders();
        for (int i = 0; i < message.headerNames().length; i++) {
            headers.add(message.headerNames()[i], message.headerValues()[i]);
        }
        String text = message.text();
        return new ProducerRecord<>(
                topic,
                null,
                message.timestampMillis() < 0 ? null : message.timestampMillis(),
                message.key(),
                text == null ? null : text.getBytes(StandardCharsets.UTF_8),
                headers);
    }
}
