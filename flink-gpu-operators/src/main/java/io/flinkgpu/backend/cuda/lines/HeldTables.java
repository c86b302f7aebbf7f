package io.flinkgpu.backend.cuda.lines;

import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.plan.GroupedBatch;

import java.util.Arrays;

/**
 * The groups that a program holds, and which room they have. A table has room for some times the groups of
 * the batch that made it necessary; when it is full its groups are given out, and a larger one follows
 * where there is memory. Groups that come back with their batch's header anyway are not held.
 */
final class HeldTables implements AutoCloseable {

    /** Gives memory of the device. */
    @FunctionalInterface
    interface Source {

        /** Memory that stays until it is closed; null if there is none. */
        HeldTable.Memory take(long bytes) throws BackendException;
    }

    /** The room of a table is so many times that of the batch. */
    private static final int BATCHES = 8;

    /** A new table is not worth it if it is not larger than the old one by a half. */
    private static final int WORTH_PERCENT = 150;

    private final LinesArgs args;
    private final long withBatchBytes;
    private final long maxGivenBytes;
    private final Source source;

    /** Null: there is none yet. */
    private HeldTable table;

    /** What follows it; null: nothing. */
    private HeldTable next;

    /**
     * @param withBatchBytes how large results are at most whose groups are not held
     * @param maxGivenBytes how large a result of groups that are given out may be
     */
    HeldTables(LinesArgs args, long withBatchBytes, long maxGivenBytes, Source source) {
        this.args = args;
        this.withBatchBytes = withBatchBytes;
        this.maxGivenBytes = maxGivenBytes;
        this.source = source;
    }

    /**
     * Where a batch's groups are to be added. If they have no room there beside what is held, or it is
     * another table, all that is held is to be given out before, and {@link #use} follows.
     *
     * @return null if they are to be given out with the batch
     */
    HeldTable tableFor(LinesHeader batch) throws BackendException {
        if (batch.groups() == 0 || batch.resultBytes(args.plan()) <= withBatchBytes) {
            return null;
        }
        if (table != null && table.hasRoom(batch)) {
            return table;
        }
        if (next == null || !next.hasRoom(batch)) {
            closeNext();
            makeNext(batch);
        }
        if (next != null) {
            return next;
        }
        return table != null && table.layout().hasRoom(batch) ? table : null;
    }

    /** Whether all that is held is to be given out before a batch is added. */
    boolean isGivenOutFor(HeldTable chosen, LinesHeader batch) {
        return chosen != table || !table.hasRoom(batch);
    }

    /** The table of all that is held; null if nothing is. */
    HeldTable held() {
        return table == null || table.groups() == 0 ? null : table;
    }

    /** All that was held is given out; from here on a table that was chosen holds what comes. */
    void use(HeldTable chosen) {
        HeldTable old = table;
        if (chosen == old) {
            table.clear(args.plan());
            return;
        }
        table = next;
        next = null;
        if (old != null) {
            old.close();
        }
    }

    private void makeNext(LinesHeader batch) throws BackendException {
        HeldLayout layout = layoutFor(batch, BATCHES);
        for (int batches = BATCHES; isWorth(layout, batch); layout = layoutFor(batch, batches)) {
            HeldTable.Memory memory = source.take(layout.bytes());
            if (memory != null) {
                next = new HeldTable(args.plan(), layout, memory);
                return;
            }
            batches /= 2;
        }
    }

    private boolean isWorth(HeldLayout layout, LinesHeader batch) {
        return layout.hasRoom(batch)
                && (table == null
                        || !table.layout().hasRoom(batch)
                        || layout.bytes() * 100 >= table.layout().bytes() * WORTH_PERCENT);
    }

    /** Room for so many batches like this one, but not for more than can be given out at a time. */
    private HeldLayout layoutFor(LinesHeader batch, int batches) {
        double keyBytes = (double) batch.keyBytes() / batch.groups();
        double most = maxGivenBytes / (givenWordBytes() + keyBytes);
        long wanted = (long) batches * batch.groups();
        if (table != null && batches > 1) {
            wanted = Math.max(wanted, 2L * table.layout().groups());
        }
        long groups = (long) Math.min(Math.min(wanted, most), HeldLayout.MAX_GROUPS);
        long bytes = (long) Math.min(Math.ceil(groups * keyBytes), HeldLayout.MAX_KEY_BYTES);
        return HeldLayout.of(args.fields(), (int) groups, bytes);
    }

    /** Bytes of a group's words and of its key's offset, with all bins. */
    private long givenWordBytes() {
        int[] bins = new int[args.plan().values().size()];
        Arrays.fill(bins, LinesAbi.LINES_DOUBLE_BINS);
        int words = GroupedBatch.layout(args.plan().aggregates(), bins).words();
        return (long) Long.BYTES * words + Integer.BYTES;
    }

    private void closeNext() {
        if (next != null) {
            HeldTable old = next;
            next = null;
            old.close();
        }
    }

    @Override
    public void close() {
        closeNext();
        if (table != null) {
            table.close();
        }
    }
}
