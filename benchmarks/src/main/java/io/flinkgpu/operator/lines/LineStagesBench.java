package io.flinkgpu.operator.lines;

import io.flinkgpu.api.LineRange;
import io.flinkgpu.backend.cpu.lines.CpuLines;
import io.flinkgpu.backend.plan.LineGroups;
import io.flinkgpu.bench.GivenAggregation;
import io.flinkgpu.bench.KeysFile;
import io.flinkgpu.bench.StageTimes;
import io.flinkgpu.column.ColumnBatch;
import io.flinkgpu.files.FileReports;
import io.flinkgpu.groups.GroupTable;
import io.flinkgpu.groups.GroupTables;
import io.flinkgpu.operator.window.WindowInput;

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

    private static final int RANGE_BYTES = 4 << 20;

    private final SentBlocks sent = new SentBlocks();
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
        GroupTables tables = new GroupTables(allocator, SentBlocks.VALUES);
        List<GroupTable> windows = Stream.generate(tables::newTable).limit(subtasks).toList();
        for (int round = 0; round < rounds; round++) {
            LineAggregateSpec spec = GivenAggregation.spec();
            sentBlocks = 0;
            try (CpuLines program = new CpuLines(allocator, spec.plan());
                    LineOutput output = sent.output(spec)) {
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
        times.measure("written and read", () -> sent.cross(received));
        times.measure(
                "added to the windows' tables", () -> SentBlocks.add(tables, windows, received));
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
}
