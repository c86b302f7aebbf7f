package io.flinkgpu.backend.cpu.lines;

import io.flinkgpu.api.ValueSpec;
import io.flinkgpu.backend.CompiledProgram;
import io.flinkgpu.backend.Submission;
import io.flinkgpu.backend.cpu.aggregate.BatchHash;
import io.flinkgpu.backend.cpu.aggregate.BatchTable;
import io.flinkgpu.backend.cpu.lines.fast.KeyNumberRows;
import io.flinkgpu.backend.cpu.lines.fast.KeyNumberScanner;
import io.flinkgpu.backend.cpu.lines.group.ByteArena;
import io.flinkgpu.backend.cpu.lines.group.CollectedDoubles;
import io.flinkgpu.backend.cpu.lines.group.LineGrouper;
import io.flinkgpu.backend.cpu.lines.group.LineScanner;
import io.flinkgpu.backend.cpu.lines.group.LineValues;
import io.flinkgpu.backend.cpu.lines.group.TextScanner;
import io.flinkgpu.backend.cpu.lines.group.UngroupedWriter;
import io.flinkgpu.backend.plan.GroupedBatch;
import io.flinkgpu.backend.plan.LineGroups;
import io.flinkgpu.backend.plan.LinePlan;
import io.flinkgpu.backend.plan.UngroupedLines;
import io.flinkgpu.column.ColumnBatch;
import io.flinkgpu.column.TextView;
import io.flinkgpu.words.Term;

import org.apache.flink.annotation.Internal;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.util.MemoryUtil;

/**
 * Parses, groups and aggregates the lines of a batch in one pass on the calling thread; or gives them
 * ungrouped where keys hardly repeat. Nothing is allocated for a line. Memory is linear in the batch: the groups' is the allocator's, which refuses it
 * if it is too much; on the heap are an int for a refused line and one for a double.
 *
 * <p>Lines are read by words that may reach beyond their end, but never beyond the batch's last byte: an
 * Arrow buffer may end right there. So the last lines are copied to where there is room after them, and
 * likewise a last line that has no {@code '\n'}.
 */
@Internal
public final class CpuLines implements CompiledProgram<LineGroups> {

    private static final int FEW_GROUPS = 1 << 15;

    private final BufferAllocator allocator;
    private final CollectedDoubles[] doubles;
    private final BatchTable table;
    private final ByteArena arena;
    private final LineGrouper grouper;
    private final UngroupedWriter ungrouped;
    private final TextScanner grouping;
    private final TextScanner writing;
    private final LineResult result;
    private final GroupingChoice choice = new GroupingChoice();

    public CpuLines(BufferAllocator allocator, LinePlan plan) {
        this(allocator, plan, BatchHash.random());
    }

    public CpuLines(BufferAllocator allocator, LinePlan plan, BatchHash hash) {
        this.allocator = allocator;
        this.doubles = new CollectedDoubles[plan.values().size()];
        for (int i = 0; i < doubles.length; i++) {
            ValueSpec spec = plan.values().get(i);
            doubles[i] = Term.SPECIALS.isKeptOf(spec) ? new CollectedDoubles(allocator) : null;
        }
        LineValues values = new LineValues(plan, doubles);
        this.table =
                new BatchTable(
                        allocator,
                        hash,
                        LineGrouper::isKey,
                        plan.format().separator(),
                        values.layout().initial(),
                        FEW_GROUPS);
        this.arena = new ByteArena(allocator);
        boolean isFast = KeyNumberScanner.reads(plan);
        this.ungrouped =
                new UngroupedWriter(
                        allocator,
                        new UngroupedLines.Layout(doubles.length, plan.time() != null, !isFast));
        this.grouper = new LineGrouper(plan, table, values, ungrouped, arena);
        LineScanner anyLines = new LineScanner(plan, grouper);
        this.grouping = isFast ? new KeyNumberScanner(plan, anyLines, grouper, table) : anyLines;
        this.writing = isFast ? new KeyNumberRows(plan, anyLines, grouper, ungrouped) : anyLines;
        this.result = new LineResult(allocator, plan.aggregates(), table, values, doubles);
    }

    /** The work is done in {@link Submission#await()}: there is no other thread to start it on. */
    @Override
    public Submission<LineGroups> submit(ColumnBatch batch) {
        return () -> aggregate(batch.text(LinePlan.LINES_COLUMN));
    }

    private LineGroups aggregate(TextView rows) {
        long startNanos = System.nanoTime();
        boolean isDone = false;
        try {
            grouper.clear();
            // A column without rows may have no buffers.
            table.clear(rows.rows() == 0 ? 0 : rows.dataBytes());
            for (int row = 0; row < rows.rows(); row++) {
                scanRow(rows, row);
            }
            noteGroups(true);
            LineGroups groups = lineGroups(startNanos);
            table.trim();
            isDone = true;
            return groups;
        } finally {
            if (!isDone) {
                table.close();
            }
            arena.close();
            ungrouped.close();
            result.close();
            for (CollectedDoubles collected : doubles) {
                if (collected != null) {
                    collected.close();
                }
            }
        }
    }

    private LineGroups lineGroups(long startNanos) {
        ColumnBatch keys = result.keys();
        ArrowBuf refusedStarts = null;
        try {
            refusedStarts = grouper.refusedStarts(allocator);
            GroupedBatch groups = result.groups(startNanos);
            return new LineGroups(
                    groups,
                    keys,
                    ungrouped.take(),
                    refusedStarts,
                    grouper.refused(),
                    grouper.lines(),
                    grouper.maxTimestamp(),
                    0);
        } catch (RuntimeException | Error e) {
            keys.close();
            if (refusedStarts != null) {
                refusedStarts.close();
            }
            throw e;
        }
    }

    private void scanRow(TextView rows, int row) {
        long firstByte = rows.dataAddress();
        long start = firstByte + rows.start(row);
        long end = firstByte + rows.end(row);
        long paddedEnd = firstByte + rows.dataBytes() - ByteArena.PADDING;
        boolean isPadded = end <= paddedEnd && end > start && MemoryUtil.getByte(end - 1) == '\n';
        long split = isPadded ? end : lastLine(start, Math.min(end, paddedEnd));
        grouper.setFirstByte(firstByte);
        scanBlocks(start, split);
        if (split < end) {
            int length = (int) (end - split);
            long copy = arena.take(length + 1);
            MemoryUtil.copyMemory(split, copy, length);
            boolean isEnded = MemoryUtil.getByte(end - 1) == '\n';
            MemoryUtil.putByte(copy + length, (byte) '\n');
            grouper.setFirstByte(copy - (split - firstByte));
            grouper.setGroups(true);
            grouping.scan(copy, isEnded ? copy + length : copy + length + 1);
        }
    }

    private void scanBlocks(long start, long end) {
        for (long at = start; at < end; ) {
            long blockEnd =
                    end - at > TextScanner.BLOCK_BYTES
                            ? nextLine(at + TextScanner.BLOCK_BYTES / 2)
                            : end;
            boolean areGrouped = choice.groups();
            grouper.setGroups(areGrouped);
            if (areGrouped) {
                grouping.scan(at, blockEnd);
                noteGroups(false);
            } else {
                long before = grouper.lines();
                writing.scan(at, blockEnd);
                choice.ungrouped(grouper.lines() - before);
            }
            at = blockEnd;
        }
    }

    private void noteGroups(boolean isEnd) {
        choice.grouped(grouper.lines() - ungrouped.size(), table.groups(), isEnd);
    }

    /** Where a line starts that does so after an address; there is one before the text's end. */
    private static long nextLine(long start) {
        long at = start;
        while (MemoryUtil.getByte(at) != '\n') {
            at++;
        }
        return at + 1;
    }

    /** Where the last line starts that does so at or before an end. */
    private static long lastLine(long start, long end) {
        long at = end;
        while (at > start && MemoryUtil.getByte(at - 1) != '\n') {
            at--;
        }
        return Math.max(start, at);
    }

    @Override
    public void close() {
        table.close();
    }
}
