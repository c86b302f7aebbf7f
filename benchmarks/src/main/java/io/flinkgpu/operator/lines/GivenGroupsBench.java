package io.flinkgpu.operator.lines;

import io.flinkgpu.backend.plan.LineGroups;
import io.flinkgpu.bench.GivenAggregation;
import io.flinkgpu.bench.MadeUpGroups;
import io.flinkgpu.bench.StageTimes;
import io.flinkgpu.groups.GroupCursor;
import io.flinkgpu.groups.GroupTable;
import io.flinkgpu.groups.GroupTables;
import io.flinkgpu.groups.KeyBytes;
import io.flinkgpu.groups.KeyCodec;
import io.flinkgpu.operator.window.WindowInput;
import io.flinkgpu.operator.window.WindowOutput;

import org.apache.flink.api.common.typeutils.base.StringSerializer;
import org.apache.flink.streaming.api.windowing.windows.GlobalWindow;
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

    private static final int PIECE_GROUPS = 1 << 16;

    private final SentBlocks sent = new SentBlocks();
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
        LineOutput output = sent.output(spec);
        StageTimes times = new StageTimes(groups);
        for (int round = 0; round < rounds; round++) {
            sent.clear();
            times.measure("given to blocks", () -> give(output));
            List<WindowInput<String, Row>> received = new ArrayList<>();
            times.measure("written and read", () -> sent.cross(received));
            received(allocator, received, times);
            times.endRound();
        }
        times.print();
        output.close();
        pieces.forEach(MadeUpGroups::close);
    }

    private void give(LineOutput output) throws Exception {
        for (MadeUpGroups piece : pieces) {
            try (LineGroups groups = piece.take()) {
                output.given(new ParsedLines(groups, null));
            }
        }
        output.sendHeld();
    }

    private void received(
            BufferAllocator allocator, List<WindowInput<String, Row>> received, StageTimes times)
            throws Exception {
        GroupTables tables = new GroupTables(allocator, SentBlocks.VALUES);
        try (GroupTable table = tables.newTable()) {
            times.measure(
                    "added to the window's table",
                    () -> SentBlocks.add(tables, List.of(table), received));
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
