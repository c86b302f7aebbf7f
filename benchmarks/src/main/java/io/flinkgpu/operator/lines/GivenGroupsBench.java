package io.flinkgpu.operator.lines;

import io.flinkgpu.api.ErrorDetail;
import io.flinkgpu.api.ErrorValues;
import io.flinkgpu.api.ValueSpec;
import io.flinkgpu.backend.plan.LineGroups;
import io.flinkgpu.bench.GivenAggregation;
import io.flinkgpu.bench.MadeUpGroups;
import io.flinkgpu.bench.StageTimes;
import io.flinkgpu.groups.GroupBlock;
import io.flinkgpu.groups.GroupCursor;
import io.flinkgpu.groups.GroupTable;
import io.flinkgpu.groups.GroupTables;
import io.flinkgpu.groups.KeyBytes;
import io.flinkgpu.groups.KeyCodec;
import io.flinkgpu.operator.window.WindowInput;
import io.flinkgpu.operator.window.WindowInputTypeInfo;
import io.flinkgpu.operator.window.WindowOutput;
import io.flinkgpu.operator.window.local.BlockOutput;

import org.apache.flink.api.common.serialization.SerializerConfigImpl;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.base.StringSerializer;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.apache.flink.metrics.groups.UnregisteredMetricsGroup;
import org.apache.flink.runtime.operators.testutils.MockEnvironmentBuilder;
import org.apache.flink.streaming.api.windowing.windows.GlobalWindow;
import org.apache.flink.streaming.util.MockStreamingRuntimeContext;
import org.apache.flink.types.Row;

import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;

import java.util.ArrayList;
import java.util.List;

/**
 * What a group of lines costs a core once a device has given it out: {@code main [GROUPS [ROUNDS]]}, CPU
 * nanoseconds and heap bytes a group for each stage of its way, which one thread goes alone. The groups are those of
 * a {@link GivenAggregation}.
 */
public final class GivenGroupsBench {

    private static final int KEY_GROUPS = 128;
    private static final int PIECE_GROUPS = 1 << 16;
    private static final List<ValueSpec> VALUES = GivenAggregation.AGGREGATES.specs();

    private final List<WindowInput<String, Row>> sent = new ArrayList<>();
    private final ToConsumer<WindowInput<String, Row>> blocks = new ToConsumer<>(sent::add);
    private final TypeSerializer<WindowInput<String, Row>> serializer =
            new WindowInputTypeInfo<>(Types.STRING, Types.ROW(Types.STRING, Types.BIG_DEC))
                    .createSerializer(new SerializerConfigImpl());
    private final List<MadeUpGroups> pieces = new ArrayList<>();

    private GivenGroupsBench() {}

    public static void main(String[] args) throws Exception {
        int groups = args.length > 0 ? Integer.parseInt(args[0]) : 1_000_000;
        int rounds = args.length > 1 ? Integer.parseInt(args[1]) : 12;
        try (BufferAllocator allocator = new RootAllocator()) {
            new GivenGroupsBench().run(allocator, groups, rounds);
        }
    }

    private void run(BufferAllocator allocator, int groups, int rounds) throws Exception {
        LineAggregateSpec spec = GivenAggregation.spec();
        for (int first = 0; first < groups; first += PIECE_GROUPS) {
            int count = Math.min(PIECE_GROUPS, groups - first);
            pieces.add(new MadeUpGroups(allocator, spec.plan(), first, count));
        }
        LineOutput output = output(spec);
        StageTimes times = new StageTimes(groups);
        for (int round = 0; round < rounds; round++) {
            sent.clear();
            times.measure("given to blocks", () -> give(output));
            List<WindowInput<String, Row>> received = new ArrayList<>();
            times.measure("written and read", () -> cross(received));
            received(allocator, received, times);
            times.endRound();
        }
        times.print();
        output.close();
        pieces.forEach(MadeUpGroups::close);
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

    private void give(LineOutput output) throws Exception {
        for (MadeUpGroups piece : pieces) {
            try (LineGroups groups = piece.take()) {
                output.given(new ParsedLines(groups, null));
            }
        }
        output.sendHeld();
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

    private void received(
            BufferAllocator allocator, List<WindowInput<String, Row>> received, StageTimes times)
            throws Exception {
        GroupTables tables = new GroupTables(allocator, VALUES);
        try (GroupTable table = tables.newTable()) {
            times.measure("added to the window's table", () -> add(tables, table, received));
            long[] lines = new long[1];
            times.measure(
                    "emitted",
                    () -> emit(table, new ToConsumer<>(result -> lines[0] += result[1])));
            if (lines[0] != MadeUpGroups.LINES * times.groups()) {
                throw new IllegalStateException(
                        "each group has a result: groups="
                                + times.groups()
                                + ", lines="
                                + lines[0]);
            }
        }
    }

    private static void add(
            GroupTables tables, GroupTable table, List<WindowInput<String, Row>> received)
            throws Exception {
        for (WindowInput<String, Row> input : received) {
            GroupBlock block = input.block();
            tables.add(block, (start, end) -> table, (to, group) -> {});
        }
    }

    private static void emit(GroupTable table, ToConsumer<long[]> results) {
        WindowOutput<String, String, long[]> output =
                new WindowOutput<>(GivenAggregation.plan(1 << 20), results);
        KeyCodec<String> codec = KeyCodec.of(StringSerializer.INSTANCE);
        KeyBytes key = new KeyBytes();
        GroupCursor cursor = table.cursor();
        while (cursor.next()) {
            cursor.key(key);
            output.emit(codec.read(key.array(), 0, key.length()), GlobalWindow.get(), cursor);
        }
    }
}
