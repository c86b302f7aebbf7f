package io.flinkgpu.applications.kafka;

import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.connector.kafka.source.reader.deserializer.KafkaRecordDeserializationSchema;
import org.apache.flink.util.Collector;

import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.StandardCharsets;

/**
 * Reads values as UTF-8. One that is not, and one that is too long, becomes a message with a problem: a
 * reader that threw would fail the job at that record after each restart.
 */
final class MessageReader implements KafkaRecordDeserializationSchema<Message> {

    private static final long serialVersionUID = 1L;

    private final int maxBytes;
    private transient CharsetDecoder decoder;

    /**
     * @param maxBytes of a value
     */
    MessageReader(int maxBytes) {
        this.maxBytes = maxBytes;
    }

    @Override
    public void deserialize(ConsumerRecord<byte[], byte[]> record, Collector<Message> out) {
        byte[] value = record.value();
        Header[] headers = record.headers().toArray();
        String[] names = new String[headers.length];
        byte[][] values = new byte[headers.length][];
        for (int i = 0; i < headers.length; i++) {
            names[i] = headers[i].key();
            values[i] = headers[i].value();
        }
        String text = null;
        String problem = null;
        if (value != null && value.length > maxBytes) {
            problem = "longer than --max-record-bytes=" + maxBytes;
        } else if (value != null) {
            text = decoded(value);
            problem = text == null ? "not UTF-8" : null;
        }
        out.collect(
                new Message(
                        record.topic(),
                        record.partition(),
                        record.offset(),
                        record.timestamp(),
                        record.key(),
                        text,
                        names,
                        values,
                        value == null ? 0 : value.length,
                        problem));
    }

    /** Null if the bytes are not UTF-8. */
    private String decoded(byte[] value) {
        if (decoder == null) {
            decoder = StandardCharsets.UTF_8.newDecoder();
        }
        try {
            return decoder.decode(ByteBuffer.wrap(value)).toString();
        } catch (CharacterCodingException e) {
            return null;
        }
    }

    @Override
    public TypeInformation<Message> getProducedType() {
        return TypeInformation.of(Message.class);
    }
}
