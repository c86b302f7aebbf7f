package io.flinkgpu.applications.kafka;

import io.flinkgpu.api.RefusedRecord;

import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.functions.ProcessFunction;
import org.apache.flink.util.Collector;
import org.apache.flink.util.OutputTag;

import java.nio.charset.StandardCharsets;

/**
 * Sends messages that cannot be passed on to a side output: their place and the reason as JSON, never key,
 * headers or text.
 */
final class DeadLetters extends ProcessFunction<Message, Message> {

    static final OutputTag<String> TAG = new OutputTag<>("dead-letters", Types.STRING);

    /** Records that the redaction refused. */
    static final OutputTag<RefusedRecord> REFUSED =
            new OutputTag<>("refused", TypeInformation.of(RefusedRecord.class));

    private static final long serialVersionUID = 1L;

    private final int maxBytes;

    /**
     * @param maxBytes of a record, key and headers included
     */
    DeadLetters(int maxBytes) {
        this.maxBytes = maxBytes;
    }

    @Override
    public void processElement(Message message, Context context, Collector<Message> out) {
        if (message.problem() != null) {
            context.output(TAG, json(message));
        } else if (fits(message)) {
            out.collect(message);
        } else {
            context.output(
                    TAG,
                    json(message.refused("redacted longer than --max-record-bytes=" + maxBytes)));
        }
    }

    /** A producer refuses what a topic's {@code max.message.bytes} does not allow, and fails the job. */
    private boolean fits(Message message) {
        long room = maxBytes + 128L - message.keyAndHeaderBytes();
        if (message.text() == null) {
            return room >= 0;
        }
        return message.text().length() * 3L <= room
                || message.text().getBytes(StandardCharsets.UTF_8).length <= room;
    }

    private static String json(Message message) {
        return new JsonLine()
                .with("topic", message.topic())
                .with("partition", message.partition())
                .with("offset", message.offset())
                .with("timestamp", message.timestampMillis())
                .with("bytes", message.valueBytes())
                .with("reason", message.problem())
                .toString();
    }

    /** What is known of a record that the redaction refused. */
    static String json(RefusedRecord refused) {
        JsonLine line =
                new JsonLine().with("subtask", refused.subtask()).with("number", refused.number());
        if (refused.timestampMillis() != null) {
            line.with("timestamp", refused.timestampMillis());
        }
        return line.with("reason", refused.reason()).toString();
    }
}
