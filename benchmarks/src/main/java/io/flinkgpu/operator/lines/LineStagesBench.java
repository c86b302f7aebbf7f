package io.flinkgpu.operator.lines;

import io.flinkgpu.api.Aggregates;
import io.flinkgpu.api.ColumnType;
import io.flinkgpu.api.ErrorDetail;
import io.flinkgpu.api.ErrorValues;
import io.flinkgpu.api.LineRange;
import io.flinkgpu.api.ValueGetter;
import io.flinkgpu.api.ValueSpec;
import io.flinkgpu.api.lines.Delimited;
import io.flinkgpu.backend.cpu.lines.CpuLines;
import io.flinkgpu.backend.plan.LineGroups;
import io.flinkgpu.bench.KeysFile;
import io.flinkgpu.bench.StageTimes;
import io.flinkgpu.column.ColumnBatch;
import io.flinkgpu.files.FileReports;
import io.flinkgpu.groups.GroupBlock;
import io.flinkgpu.groups.GroupTable;
import io.flinkgpu.groups.GroupTables;
import io.flinkgpu.groups.KeyCodec;
import io.flinkgpu.operator.window.WindowInput;
import io.flinkgpu.operator.window.WindowInputTypeInfo;
import io.flinkgpu.operator.window.WindowShape;
import io.flinkgpu.operator.window.local.BlockOutput;

import org.apache.flink.api.common.serialization.SerializerConfigImpl;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.base.StringSerializer;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.apache.flink.metrics.groups.UnregisteredMetricsGroup;
import org.apache.flink.runtime.operators.testutils.MockEnvironmentBuilder;
import org.apache.flink.streaming.api.windowing.assigners.GlobalWindows;
import org.apache.flink.streaming.util.MockStreamingRuntimeContext;
import org.apache.flink.types.Row;

import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * What a line of one subtask costs a core on the CPU backend: {@code main [KEYS [LINES [SUBTASKS [ROUNDS]]]]},
 * CPU nanoseconds and heap bytes a line for each stage of its way, which one thread goes alone. The lines are
 * those of {@code KeysBench lines}; the windows' tables are those of so many subtasks, and have the keys since
 * the first round.
 */
public final class LineStagesBench {

    private static final int KEY_GROUPS = 128;
    private static final int RANGE_BYTES = 4 << 20;
    private static final WindowShape SHAPE =
            WindowShape.of(GlobalWindows.createWithEndOfStreamTrigger());
    private static final LineReading READING =
            LineReading.of(Delimited.of(';').string("key").decimal("value", 1));
    private static final List<ValueSpec> VALUES =
            Aggregates.of(
                            (ValueGetter<Row, Object>) row -> row.getField("value"),
                            ColumnType.decimal(18, 1))
                    .min()
                    .mean()
                    .max()
                    .count()
                    .specs();

    private final List<WindowInput<String, Row>> sent = new ArrayList<>();
    private final ToConsumer<WindowInput<String, Row>> blocks = new ToConsumer<>(sent::add);
    private final TypeSerializer<WindowInput<String, Row>> serializer =
            new WindowInputTypeInfo<>(Types.STRING, Types.ROW(Types.STRING, Types.BIG_DEC))
                    .createSerializer(new SerializerConfigImpl());
    private final List<ColumnBatch> batches = new ArrayList<>();

    private LineStagesBench() {}

    public static void main(String[] args) throws Exception {
        int keys = args.length > 0 ? Integer.parseInt(args[0]) : 1_000_000;
        int lines = args.length > 1 ? Integer.parseInt(args[1]) : 6_250_000;
        int subtasks = args.length > 2 ? Integer.parseInt(args[2]) : 16;
        int rounds = args.length > 3 ? Integer.parseInt(args[3]) : 8;
        Path file = Files.createTempFile("lines", ".txt");
        try (BufferAllocator allocator = new RootAllocator()) {
            KeysFile.write(file, keys, lines);
            new LineStagesBench().run(allocator, file, subtasks, new StageTimes(lines), rounds);
        } finally {
            Files.delete(file);
        }
    }

    private void run(
            BufferAllocator allocator, Path file, int subtasks, StageTimes times, int rounds)
            throws Exception {
        fill(allocator, file);
        long sentBlocks = 0;
        GroupTables tables = new GroupTables(allocator, VALUES);
        List<GroupTable> windows = Stream.generate(tables::newTable).limit(subtasks).toList();
        for (int round = 0; round < rounds; round++) {
            LineAggregateSpec spec = LineAggregateSpec.of(READING, 0, List.of(1), VALUES, SHAPE);
            sentBlocks = 0;
            try (CpuLines program = new CpuLines(allocator, spec.plan());
                    LineOutput output = output(spec)) {
                for (ColumnBatch batch : batches) {
                    LineGroups[] read = new LineGroups[1];
                    times.measure("read", () -> read[0] = program.submit(batch).await());
                    times.measure("held or sent", () -> give(read[0], batch, output));
                    sentBlocks += receive(tables, windows, times);
                }
                times.measure("held or sent", output::sendHeld);
                sentBlocks += receive(tables, windows, times);
            }
            times.endRound();
        }
        windows.forEach(GroupTable::close);
        times.print();
        System.out.println("blocks: " + sentBlocks);
        batches.forEach(ColumnBatch::close);
    }

    private static void give(LineGroups read, ColumnBatch batch, LineOutput output)
            throws Exception {
        try (read) {
            output.part(new ParsedLines(read, batch), List.of(), 0);
        }
    }

    private int receive(GroupTables tables, List<GroupTable> windows, StageTimes times)
            throws Exception {
        List<WindowInput<String, Row>> received = new ArrayList<>();
        times.measure("written and read", () -> cross(received));
        times.measure("added to the windows' tables", () -> add(tables, windows, received));
        sent.clear();
        return received.size();
    }

    private void fill(BufferAllocator allocator, Path file) throws IOException {
        long fileBytes = Files.size(file);
        try (LineBatchBuilder builder =
                new LineBatchBuilder(
                        allocator,
                        1,
                        RANGE_BYTES,
                        LineBatchBuilder.Split.NONE,
                        FileReports.uncounted())) {
            for (long offset = 0; offset < fileBytes; offset += RANGE_BYTES) {
                long length = Math.min(RANGE_BYTES, fileBytes - offset);
                builder.append(new LineRange(file.toString(), offset, length, fileBytes));
                batches.add(builder.columns().build());
            }
        }
    }

    private LineOutput output(LineAggregateSpec spec) throws Exception {
        return new LineOutput(
                spec,
                blocks,
                new LineMetrics(
                        UnregisteredMetricsGroup.createOperatorMetricGroup(),
                        new MockStreamingRuntimeContext(
                                1, 0, new MockEnvironmentBuilder().build())),
                new OwnWatermarks(blocks),
                new BlockOutput<>(
                        VALUES, KeyCodec.of(StringSerializer.INSTANCE), KEY_GROUPS, false, blocks),
                ErrorValues.of(ErrorDetail.FULL));
    }

    /** Without the network's own copies. */
    private void cross(List<WindowInput<String, Row>> received) throws Exception {
        DataOutputSerializer target = new DataOutputSerializer(1 << 16);
        DataInputDeserializer source = new DataInputDeserializer();
        for (WindowInput<String, Row> input : sent) {
            target.clear();
            serializer.serialize(input, target);
            source.setBuffer(target.getSharedBuffer(), 0, target.length());
            received.add(serializer.deserialize(source));
        }
    }

    private static void add(
            GroupTables tables, List<GroupTable> windows, List<WindowInput<String, Row>> received)
            throws Exception {
        for (WindowInput<String, Row> input : received) {
            GroupBlock block = input.block();
            GroupTable table = windows.get(block.keyGroup() * windows.size() / KEY_GROUPS);
            tables.add(block, (start, end) -> table, (to, group) -> {});
        }
    }
}
