package io.flinkgpu.examples;

import io.flinkgpu.GpuStreams;
import io.flinkgpu.api.GpuOptions;
import io.flinkgpu.rules.DefaultRules;

import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/** Redacts one field of each record by the built-in rules. */
public final class RedactLogs {

    public record LogRecord(String service, String message) {

        LogRecord withMessage(String redacted) {
            return new LogRecord(service, redacted);
        }
    }

    private RedactLogs() {}

    public static void main(String[] args) throws Exception {
        StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment();
        env.setParallelism(1);
        DataStream<LogRecord> logs =
                env.fromData(
                        new LogRecord("shop", "login of jane@example.com from 10.1.2.3"),
                        new LogRecord("bank", "paid with 4111 1111 1111 1111"),
                        new LogRecord("shop", "3 items in the basket"));
        GpuStreams.redact(
                        logs,
                        LogRecord::message,
                        LogRecord::withMessage,
                        DefaultRules.get(),
                        GpuOptions.DEFAULT)
                .print();
        env.execute("redact logs");
    }
}
