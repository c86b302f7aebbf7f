package io.flinkgpu.applications.kafka;

import io.flinkgpu.GpuStreams;
import io.flinkgpu.api.AggregateValues;
import io.flinkgpu.api.Aggregates;
import io.flinkgpu.api.ColumnType;
import io.flinkgpu.api.GpuOptions;
import io.flinkgpu.api.RuleSet;
import io.flinkgpu.api.WindowResult;

import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.serialization.SimpleStringSchema;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.connector.base.DeliveryGuarantee;
import org.apache.flink.connector.kafka.sink.KafkaRecordSerializationSchema;
import org.apache.flink.connector.kafka.sink.KafkaSink;
import org.apache.flink.connector.kafka.sink.TransactionNamingStrategy;
import org.apache.flink.connector.kafka.source.KafkaSource;
import org.apache.flink.connector.kafka.source.KafkaSourceBuilder;
import org.apache.flink.connector.kafka.source.enumerator.initializer.OffsetsInitializer;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.windowing.assigners.TumblingEventTimeWindows;

import org.apache.kafka.clients.producer.ProducerConfig;

import java.time.Duration;

/**
 * Topic to topic: messages are redacted, and counted by key and window; what cannot be passed on becomes a
 * dead letter. All three outputs are written in transactions that commit with Flink's checkpoints.
 *
 * @param bootstrapServers of Kafka
 * @param bounded whether the job ends with the messages that are there when it starts
 * @param window of the statistics
 * @param maxRecordBytes longer ones become dead letters, before and after redaction
 */
record KafkaRedactionJob(
        String bootstrapServers,
        Topics topics,
        RuleSet rules,
        GpuOptions options,
        boolean bounded,
        Duration window,
        int maxRecordBytes) {

    private static final Duration OUT_OF_ORDER = Duration.ofSeconds(5);
    private static final Duration IDLE = Duration.ofMinutes(1);

    /** Longer than a restart may take, and no longer than brokers allow: 15 minutes unless told. */
    private static final Duration TRANSACTION_TIMEOUT = Duration.ofMinutes(10);

    void addTo(StreamExecutionEnvironment env) {
        SingleOutputStreamOperator<Message> messages =
                env.fromSource(
                                source(),
                                WatermarkStrategy.<Message>forBoundedOutOfOrderness(OUT_OF_ORDER)
                                        .withIdleness(IDLE),
                                "messages")
                        .uid("messages")
                        .process(new DeadLetters(maxRecordBytes))
                        .name("readable")
                        .uid("readable");
        SingleOutputStreamOperator<Message> redacted =
                GpuStreams.redact(
                                messages,
                                Message::text,
                                Message::withText,
                                rules,
                                options,
                                DeadLetters.REFUSED)
                        .uid("redaction");
        SingleOutputStreamOperator<Message> written =
                redacted.process(new DeadLetters(maxRecordBytes)).name("writable").uid("writable");
        written.sinkTo(sink(topics.redacted(), new MessageWriter(topics.redacted())))
                .name("redacted")
                .uid("redacted");
        statistics(written)
                .sinkTo(sink(topics.statistics(), text(topics.statistics())))
                .name("statistics sink")
                .uid("statistics-sink");
        messages.getSideOutput(DeadLetters.TAG)
                .union(
                        written.getSideOutput(DeadLetters.TAG),
                        redacted.getSideOutput(DeadLetters.REFUSED)
                                .map(DeadLetters::json)
                                .returns(Types.STRING)
                                .uid("refused"))
                .sinkTo(sink(topics.deadLetters(), text(topics.deadLetters())))
                .name("dead letters")
                .uid("dead-letters");
    }

    private KafkaSource<Message> source() {
        KafkaSourceBuilder<Message> source =
                KafkaSource.<Message>builder()
                        .setBootstrapServers(bootstrapServers)
                        .setTopics(topics.input())
                        .setGroupId("kafka-redaction")
                        .setStartingOffsets(OffsetsInitializer.earliest())
                        // Else a message of an aborted transaction would be redacted and passed on.
                        .setProperty("isolation.level", "read_committed")
                        .setDeserializer(new MessageReader(maxRecordBytes));
        return (bounded ? source.setBounded(OffsetsInitializer.latest()) : source).build();
    }

    private DataStream<String> statistics(DataStream<Message> messages) {
        return GpuStreams.on(messages)
                .withOptions(options)
                .keyBy(Message::keyText)
                .window(TumblingEventTimeWindows.of(window))
                .aggregate(
                        Aggregates.of(Message::chars, ColumnType.INT)
                                .named("chars")
                                .count()
                                .min()
                                .mean()
                                .max(),
                        KafkaRedactionJob::json,
                        Types.STRING)
                .uid("statistics");
    }

    private static String json(WindowResult<String> result) {
        AggregateValues values = result.values();
        return new JsonLine()
                .with("key", result.key())
                .with("start", result.startMillis())
                .with("end", result.endMillis())
                .with("count", values.getLong("chars_count"))
                .with("minChars", values.getLong("chars_min"))
                .with("meanChars", values.getDouble("chars_mean"))
                .with("maxChars", values.getLong("chars_max"))
                .toString();
    }

    private static KafkaRecordSerializationSchema<String> text(String topic) {
        return KafkaRecordSerializationSchema.<String>builder()
                .setTopic(topic)
                .setValueSerializationSchema(new SimpleStringSchema())
                .build();
    }

    private <T> KafkaSink<T> sink(String topic, KafkaRecordSerializationSchema<T> records) {
        return KafkaSink.<T>builder()
                .setBootstrapServers(bootstrapServers)
                .setDeliveryGuarantee(DeliveryGuarantee.EXACTLY_ONCE)
                // A name of a topic has no colon, so none of these is the beginning of another.
                .setTransactionalIdPrefix("redaction:" + topic + ":")
                .setTransactionNamingStrategy(TransactionNamingStrategy.POOLING)
                .setProperty(
                        ProducerConfig.TRANSACTION_TIMEOUT_CONFIG,
                        Long.toString(TRANSACTION_TIMEOUT.toMillis()))
                .setProperty(
                        ProducerConfig.MAX_REQUEST_SIZE_CONFIG,
                        Integer.toString(Math.max(1 << 20, maxRecordBytes + (1 << 16))))
                .setRecordSerializer(records)
                .build();
    }
}
