package io.flinkgpu.operator.lines;

import io.flinkgpu.api.Aggregate;
import io.flinkgpu.api.BatchPolicy;
import io.flinkgpu.api.CellAggregate;
import io.flinkgpu.api.ColumnType;
import io.flinkgpu.api.GpuOptions;
import io.flinkgpu.api.LineChunk;
import io.flinkgpu.api.LineChunkTypeInfo;
import io.flinkgpu.api.Lines;
import io.flinkgpu.api.ValueSpec;
import io.flinkgpu.api.lines.Delimited;
import io.flinkgpu.api.lines.MalformedLine;
import io.flinkgpu.backend.Backend;
import io.flinkgpu.backend.OpenRequest;
import io.flinkgpu.backend.ScriptedBackend.Script;
import io.flinkgpu.groups.KeyCodec;
import io.flinkgpu.operator.BatchOperatorFactory;
import io.flinkgpu.operator.Harnesses;
import io.flinkgpu.operator.OperatorEnvironment;
import io.flinkgpu.operator.window.SentGroup;
import io.flinkgpu.operator.window.WindowInput;
import io.flinkgpu.operator.window.WindowInputTypeInfo;
import io.flinkgpu.operator.window.WindowShape;

import org.apache.flink.api.common.serialization.SerializerConfigImpl;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.base.StringSerializer;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.api.windowing.assigners.GlobalWindows;
import org.apache.flink.streaming.api.windowing.assigners.TumblingEventTimeWindows;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.OneInputStreamOperatorTestHarness;
import org.apache.flink.types.Row;
import org.apache.flink.util.OutputTag;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Flink's operator harness around an aggregation of lines: a key, a time, and an integer of which the
 * count, the sum and the extremes are kept.
 */
final class LineHarness extends OneInputStreamOperatorTestHarness<Lines, WindowInput<String, Row>> {

    static final Delimited FORMAT =
            Delimited.of(';').string("key").epochMillis("time").longNumber("number");

    static final OutputTag<MalformedLine> MALFORMED =
            new OutputTag<>("malformed", TypeInformation.of(MalformedLine.class));

    /** Windows of 10 ms, lines at most 5 ms out of order. */
    static final WindowShape TUMBLING =
            WindowShape.of(TumblingEventTimeWindows.of(Duration.ofMillis(10)));

    static final WindowShape GLOBAL = WindowShape.of(GlobalWindows.createWithEndOfStreamTrigger());

    static final BatchPolicy NEVER_FULL = new BatchPolicy(1 << 16, 1 << 20, Duration.ofMillis(50));

    private static final List<ValueSpec> VALUES =
            List.of(
                    new ValueSpec(
                            "number",
                            ColumnType.LONG,
                            List.of(Aggregate.COUNT, Aggregate.MIN, Aggregate.MAX, Aggregate.SUM)));

    /** With the key of the line with the greatest number. */
    private static final List<ValueSpec> WITH_CELL =
            List.of(
                    new ValueSpec(
                            "number",
                            ColumnType.LONG,
                            List.of(
                                    Aggregate.COUNT,
                                    Aggregate.MIN,
                                    Aggregate.MAX,
                                    Aggregate.SUM,
                                    new CellAggregate(
                                            CellAggregate.Kind.ARG_MAX,
                                            "key",
                                            ColumnType.TEXT,
                                            0))));

    private final OperatorEnvironment environment;
    private final List<ValueSpec> values;
    private long fileOffset;

    private LineHarness(
            BatchOperatorFactory<Lines, WindowInput<String, Row>> factory,
            OperatorEnvironment environment,
            List<ValueSpec> values)
            throws Exception {
        super(factory, linesSerializer(), environment.environment());
        this.environment = environment;
        this.values = values;
        setup(
                new WindowInputTypeInfo<>(Types.STRING, LineRows.type(FORMAT))
                        .createSerializer(new SerializerConfigImpl()));
    }

    static Builder of(WindowShape shape) {
        return new Builder(shape);
    }

    OperatorEnvironment metrics() {
        return environment;
    }

    /** Some lines as a chunk; it follows the one before in the file {@code "f"}. */
    void process(String... lines) throws Exception {
        byte[] bytes = (String.join("\n", lines) + "\n").getBytes(StandardCharsets.UTF_8);
        processElement(new StreamRecord<>(new LineChunk("f", fileOffset, bytes)));
        fileOffset += bytes.length;
    }

    /** What came out, in short: {@code "a@10 2/1/5/6"}, {@code "row a@10 1/5/5/5"}, {@code "raw b 12 7"}, {@code "watermark 4"}. */
    List<String> output() {
        List<String> all = new ArrayList<>();
        for (Object element : getOutput()) {
            if (element instanceof Watermark mark) {
                all.add("watermark " + mark.getTimestamp());
            } else if (element instanceof StreamRecord<?> record) {
                all.addAll(shown(record));
            } else {
                all.add(element.toString());
            }
        }
        getOutput().clear();
        return all;
    }

    List<MalformedLine> malformed() {
        return getSideOutput(MALFORMED) == null
                ? List.of()
                : getSideOutput(MALFORMED).stream().map(StreamRecord::getValue).toList();
    }

    /** Runs the mails there are, as an idle task does. */
    void runMails() throws Exception {
        Harnesses.runMails(this);
    }

    /** Waits for a mail and runs it. */
    void runNextMail() throws Exception {
        getTaskMailbox().take(0).run();
    }

    /** Closes the operator without an end of its input, as a cancelled task does. */
    @Override
    public void close() {
        Harnesses.cancel(this);
    }

    @SuppressWarnings("unchecked") // The operator's output type.
    private List<String> shown(StreamRecord<?> record) {
        WindowInput<String, ?> input = (WindowInput<String, ?>) record.getValue();
        if (input.isRaw()) {
            Row row = (Row) input.record();
            String time = record.hasTimestamp() ? "" + record.getTimestamp() : "-";
            return List.of(
                    "raw " + row.getField("key") + " " + time + " " + row.getField("number"));
        }
        return SentGroup.in(input, KeyCodec.of(StringSerializer.INSTANCE), values).stream()
                .map(this::shown)
                .toList();
    }

    private String shown(SentGroup<String> group) {
        String slice = group.startMillis() == Long.MIN_VALUE ? "all" : "" + group.startMillis();
        return (group.isGroup() ? "" : "row ")
                + group.key()
                + "@"
                + slice
                + " "
                + Arrays.stream(group.partial().results(values))
                        .map(String::valueOf)
                        .collect(Collectors.joining("/"));
    }

    @SuppressWarnings({"unchecked", "rawtypes"}) // Chunks are lines.
    private static TypeSerializer<Lines> linesSerializer() {
        return (TypeSerializer)
                LineChunkTypeInfo.INSTANCE.createSerializer(new SerializerConfigImpl());
    }

    /** What is not the default. */
    static final class Builder {

        private final WindowShape shape;
        private LineReading reading = LineReading.of(FORMAT);
        private BatchPolicy policy = NEVER_FULL;
        private long maxHeldBytes = 1 << 20;
        private long memoryLimitBytes = GpuOptions.DEFAULT.memoryLimitBytes();
        private Script script = Script.NONE;
        private Script fallback = Script.NONE;

        private Builder(WindowShape shape) {
            this.shape = shape;
            if (shape.isEventTime()) {
                reading = reading.withTime(1, 5);
            }
        }

        Builder reading(java.util.function.UnaryOperator<LineReading> change) {
            reading = change.apply(reading);
            return this;
        }

        Builder maxRows(int maxRows) {
            policy = policy.withMaxRows(maxRows);
            return this;
        }

        Builder maxBytes(int maxBytes) {
            policy = policy.withMaxBytes(maxBytes);
            return this;
        }

        Builder maxHeldBytes(long bytes) {
            maxHeldBytes = bytes;
            return this;
        }

        Builder memoryLimitBytes(long memoryLimitBytes) {
            this.memoryLimitBytes = memoryLimitBytes;
            return this;
        }

        Builder script(Script script) {
            this.script = script;
            return this;
        }

        Builder fallback(Script fallback) {
            this.fallback = fallback;
            return this;
        }

        /** Groups have a cell; so many lines are grouped before it is decided whether that pays. */
        LineHarness openWithCell(int sampleLines) throws Exception {
            LineHarness harness =
                    new LineHarness(
                            new BatchOperatorFactory<>(
                                    new LineCellSpec(
                                            reading,
                                            0,
                                            List.of(2, 0),
                                            WITH_CELL,
                                            shape,
                                            maxHeldBytes,
                                            sampleLines),
                                    GpuOptions.DEFAULT,
                                    Builder::none,
                                    Builder::none),
                            new OperatorEnvironment(),
                            WITH_CELL);
            harness.open();
            return harness;
        }

        private static Backend none(OpenRequest request) {
            throw new IllegalStateException("no backend is needed");
        }

        LineHarness build() throws Exception {
            Script onBackend = script;
            Script onFallback = fallback;
            return new LineHarness(
                    new BatchOperatorFactory<>(
                            new LineAggregateSpec(
                                    reading,
                                    LineAggregateSpec.of(reading, 0, List.of(2), VALUES, shape)
                                            .plan(),
                                    shape,
                                    maxHeldBytes),
                            GpuOptions.DEFAULT
                                    .withBatchPolicy(policy)
                                    .withMemoryLimitBytes(memoryLimitBytes),
                            request -> PlainLines.open(request, onBackend),
                            request -> PlainLines.open(request, onFallback)),
                    new OperatorEnvironment(),
                    VALUES);
        }

        LineHarness open() throws Exception {
            LineHarness harness = build();
            harness.open();
            return harness;
        }
    }
}
