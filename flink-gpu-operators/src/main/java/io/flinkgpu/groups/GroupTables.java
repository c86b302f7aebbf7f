package io.flinkgpu.groups;

import io.flinkgpu.api.ValueSpec;
import io.flinkgpu.cells.KeptCell;

import org.apache.flink.annotation.Internal;

import org.apache.arrow.memory.BufferAllocator;

import java.util.Arrays;
import java.util.List;

/**
 * Makes tables of the same values that hash keys alike, and adds the records of blocks to them. The
 * places in memory that the records of a block need are read first, one after the other, so that the
 * processor waits for many of them at once. Not thread-safe.
 */
@Internal
public final class GroupTables {

    private final BufferAllocator allocator;
    private final RowLayout layout;
    private final List<KeptCell> cells;
    private final KeyHash hash = new KeyHash();
    private final BlockReader heads;
    private final BlockReader records;
    private long[] hashes = new long[256];

    /** Keeps what was read for its effect on the cache alone. */
    private long touched;

    public GroupTables(BufferAllocator allocator, List<ValueSpec> values) {
        this.allocator = allocator;
        this.layout = new RowLayout(values);
        this.cells = KeptCell.of(values);
        this.heads = new BlockReader(values);
        this.records = new BlockReader(values);
    }

    /** Gives the table of a span of time. */
    @FunctionalInterface
    public interface Spans {

        GroupTable table(long startMillis, long endMillis) throws Exception;
    }

    /** A table without groups, the caller's to close. */
    public GroupTable newTable() {
        return new GroupTable(allocator, layout, cells, hash);
    }

    /** Adds the records of a block to the tables of their spans. */
    public void add(GroupBlock block, Spans spans) throws Exception {
        touch(block, spans);
        records.open(block);
        GroupTable table = null;
        long start = 0;
        long end = 0;
        for (int i = 0; records.next(); i++) {
            if (table == null || records.start() != start || records.end() != end) {
                start = records.start();
                end = records.end();
                table = spans.table(start, end);
            }
            int group =
                    table.group(
                            hashes[i],
                            records.bytes(),
                            records.keyAt(),
                            records.keyLength(),
                            block.keyGroup());
            records.addTo(table, group);
        }
    }

    /** Hashes all keys; the tables of all but the first span are seldom many. */
    private void touch(GroupBlock block, Spans spans) throws Exception {
        if (hashes.length < block.records()) {
            hashes = Arrays.copyOf(hashes, Math.max(block.records(), 2 * hashes.length));
        }
        heads.open(block);
        GroupTable table = null;
        for (int i = 0; heads.nextKey(); i++) {
            if (table == null) {
                table = spans.table(heads.start(), heads.end());
            }
            hashes[i] = hash.of(heads.bytes(), heads.keyAt(), heads.keyLength());
        }
        touched += table.touch(hashes, block.records());
    }

    @Override
    public String toString() {
        return "GroupTables[touched=" + touched + "]";
    }
}
