package io.flinkgpu.groups;

import io.flinkgpu.api.ValueSpec;
import io.flinkgpu.cells.KeptCell;

import org.apache.flink.annotation.Internal;

import org.apache.arrow.memory.BufferAllocator;

import java.util.List;

/**
 * Makes tables of the same values that hash keys alike, and adds the records of blocks to them. The
 * places in memory that the records of a block need are read first, one after the other, so that the
 * processor waits for many of them at once. Not thread-safe.
 */
@Internal
public final class GroupTables {

    private final BufferAllocator allocator;
    private final List<ValueSpec> values;
    private final RowLayout layout;
    private final List<KeptCell> cells;
    private final KeyHash hash = new KeyHash();
    private final BlockReader heads;
    private final BlockReader records;
    private final KeyWords keys = new KeyWords();

    public GroupTables(BufferAllocator allocator, List<ValueSpec> values) {
        this.allocator = allocator;
        this.values = values;
        this.layout = new RowLayout(values, 0);
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

    /** A table without sessions, the caller's to close. */
    public SessionTable newSessionTable() {
        RowLayout withSpare = new RowLayout(values, SessionTable.WORDS);
        return new SessionTable(new GroupTable(allocator, withSpare, cells, hash), values);
    }

    /**
     * Adds the records of a block to the tables of their spans.
     *
     * @param added is given each group that a record was added to, which it may change
     */
    public void add(GroupBlock block, Spans spans, AddedTo added) throws Exception {
        heads.open(block);
        records.open(block);
        GroupTable table = null;
        long start = 0;
        long end = 0;
        for (int hashed = hash(); hashed > 0; hashed = hash()) {
            // The tables of all but one span are seldom many.
            keys.touch(spans.table(heads.start(), heads.end()), hashed);
            for (int i = 0; i < hashed; i++) {
                records.next();
                if (table == null || records.start() != start || records.end() != end) {
                    start = records.start();
                    end = records.end();
                    table = spans.table(start, end);
                }
                int group =
                        keys.candidate(
                                table, i, records.bytes(), records.keyAt(), records.keyLength());
                if (group < 0) {
                    group =
                            table.group(
                                    keys.hashes[i],
                                    records.bytes(),
                                    records.keyAt(),
                                    records.keyLength(),
                                    block.keyGroup());
                }
                records.addTo(table, group);
                added.added(table, group);
            }
        }
    }

    /** Accepts a group that a record was added to. */
    @FunctionalInterface
    public interface AddedTo {

        void added(GroupTable table, int group) throws Exception;
    }

    /**
     * Adds the records of a block, each with its span, to the sessions of their keys.
     *
     * @param added is given each session that a record was added to
     */
    public void add(GroupBlock block, SessionTable sessions, Added added) {
        heads.open(block);
        records.open(block);
        for (int hashed = hash(); hashed > 0; hashed = hash()) {
            keys.touch(sessions.groups(), hashed);
            for (int i = 0; i < hashed; i++) {
                records.next();
                int session =
                        sessions.join(
                                keys.hashes[i],
                                records.bytes(),
                                records.keyAt(),
                                records.keyLength(),
                                block.keyGroup(),
                                records.start(),
                                records.end(),
                                false);
                records.addTo(sessions.groups(), session);
                added.added(session, records.start());
            }
        }
    }

    /** Takes a session that a record was added to. */
    @FunctionalInterface
    public interface Added {

        /**
         * @param startMillis of the record's span
         */
        void added(int session, long startMillis);
    }

    /** Hashes the keys of the next records; gives how many these are. */
    private int hash() {
        int count = 0;
        while (count < KeyWords.MAX_KEYS && heads.nextKey()) {
            keys.set(count++, hash, heads.bytes(), heads.keyAt(), heads.keyLength());
        }
        return count;
    }
}
