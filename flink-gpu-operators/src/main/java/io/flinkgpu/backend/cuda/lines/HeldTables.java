package io.flinkgpu.backend.cuda.lines;

import io.flinkgpu.backend.BackendException;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;

/**
 * The groups that one or several programs hold on a device. Those of several are in one table, to which they
 * add their batches in turn; a table that is full is followed by another one, where there is memory. A program
 * that asks for what it holds gets pieces of all tables that its batches are in, and so do the others:
 * each piece is given to one of them.
 *
 * <p>What a program gives out must have come before the next barrier of each program that added to it. So
 * there are tables for each barrier that programs have passed last, and a program adds to, and gives out,
 * those of its own one only.
 *
 * <p>Thread-safe. Kernels add to a table while its lock is held; those that give out do not need it, as
 * nothing is added any more.
 */
final class HeldTables implements AutoCloseable {

    /** Gives memory of the device. */
    @FunctionalInterface
    interface Source {

        /** Memory that stays until it is closed; null if there is none. */
        HeldTable.Memory take(long bytes) throws BackendException;
    }

    /** Adds a batch to a table. */
    @FunctionalInterface
    interface Adder {
        void addTo(HeldTable table) throws BackendException;
    }

    /** The room of a table is so many times that of the batch that made it necessary, or half of that ... */
    private static final int MOST_BATCHES = 128;

    /** One with less room is of no use. */
    private static final int LEAST_BATCHES = 2;

    private final LinesArgs args;
    private final long withBatchBytes;
    private final int pieceGroups;
    private final long patienceNanos;

    /** At most one for each barrier. */
    private final List<Entry> open = new ArrayList<>();

    private final List<Entry> closed = new ArrayList<>();

    /**
     * @param withBatchBytes how large results are at most whose groups are not held
     * @param pieceGroups how many groups are given out at a time
     * @param patienceMillis how long a program that asks for what it holds waits for others to ask, too
     */
    HeldTables(LinesArgs args, long withBatchBytes, int pieceGroups, long patienceMillis) {
        this.args = args;
        this.withBatchBytes = withBatchBytes;
        this.pieceGroups = pieceGroups;
        this.patienceNanos = patienceMillis * 1_000_000;
    }

    LinesArgs args() {
        return args;
    }

    /** A program that holds groups here, which closes this before the tables are. */
    final class Holder implements AutoCloseable {

        private final Source source;

        /** Set by the task thread, while no batch is under way. */
        private volatile long barrier;

        /** What the last batch was added to, if it has not asked for that. */
        private Entry addedTo;

        private Holder(Source source) {
            this.source = source;
        }

        /** A barrier passes, and nothing of before is held. */
        void passBarrier(long checkpointId) {
            barrier = checkpointId;
        }

        /**
         * Adds a batch to what is held, unless its groups are to be given out with it: they are few, or have no
         * room.
         *
         * @return whether they were added
         */
        boolean add(LinesHeader batch, Adder adder) throws BackendException {
            return HeldTables.this.add(this, batch, adder);
        }

        /**
         * Some of the groups that are to be given out, the caller's to {@link #given give} or to {@link
         * #putBack}; null if there are none. Those that this program holds are from the first call on.
         */
        Piece take() throws BackendException {
            return HeldTables.this.take(this);
        }

        /** The host has the groups of a piece. */
        void given(Piece piece) {
            HeldTables.this.given(piece);
        }

        /** The groups of a piece stay held. */
        void putBack(Piece piece) {
            HeldTables.this.putBack(piece);
        }

        @Override
        public void close() {
            stopAwaiting(this);
        }
    }

    /** Some groups of a table. */
    record Piece(Entry entry, int first, int count) {

        HeldTable table() {
            return entry.table;
        }
    }

    /** A table, and who has to do with it. */
    private static final class Entry {

        final HeldTable table;
        final long barrier;

        /** Programs that have added to it and not asked for that. */
        int awaited;

        /** Once it is closed: what was not taken, and how many pieces were taken and not given. */
        Deque<Piece> pieces;

        int taken;

        Entry(HeldTable table, long barrier) {
            this.table = table;
            this.barrier = barrier;
        }
    }

    /**
     * Lets a program hold groups here.
     *
     * @param source of the memory of tables that its batches make necessary
     */
    Holder newHolder(Source source) {
        return new Holder(source);
    }

    private synchronized boolean add(Holder holder, LinesHeader batch, Adder adder)
            throws BackendException {
        if (batch.groups() == 0 || batch.resultBytes(args.plan()) <= withBatchBytes) {
            return false;
        }
        Entry entry = entryFor(holder, batch);
        if (entry == null) {
            return false;
        }
        adder.addTo(entry.table);
        if (holder.addedTo != entry) {
            stopAwaiting(holder);
            holder.addedTo = entry;
            entry.awaited++;
        }
        return true;
    }

    private Entry entryFor(Holder holder, LinesHeader batch) throws BackendException {
        Entry last = null;
        for (Entry entry : open) {
            last = entry.barrier == holder.barrier ? entry : last;
        }
        if (last != null && last.table.hasRoom(batch)) {
            return last;
        }
        HeldTable table = newTable(holder.source, batch, last);
        if (table == null) {
            return null;
        }
        if (last != null) {
            close(last);
        }
        Entry next = new Entry(table, holder.barrier);
        open.add(next);
        return next;
    }

    private HeldTable newTable(Source source, LinesHeader batch, Entry last)
            throws BackendException {
        for (int batches = MOST_BATCHES; batches >= LEAST_BATCHES; batches /= 2) {
            HeldLayout layout = layoutFor(batch, batches, last);
            if (!layout.hasRoom(batch)) {
                return null;
            }
            HeldTable.Memory memory = source.take(layout.bytes());
            if (memory != null) {
                return new HeldTable(args, layout, memory);
            }
        }
        return null;
    }

    /** Room for so many batches like this one, and if that is the most, for twice what the last table has. */
    private HeldLayout layoutFor(LinesHeader batch, int batches, Entry last) {
        double keyBytes = (double) batch.keyBytes() / batch.groups();
        double wanted = (double) batches * batch.groups();
        if (last != null && batches == MOST_BATCHES) {
            wanted = Math.max(wanted, 2.0 * last.table.layout().groups());
        }
        double most = Math.min(HeldLayout.MAX_GROUPS, HeldLayout.MAX_KEY_BYTES / keyBytes);
        long groups = (long) Math.min(wanted, most);
        long bytes = (long) Math.min(Math.ceil(groups * keyBytes), HeldLayout.MAX_KEY_BYTES);
        return HeldLayout.of(args.fields(), (int) groups, bytes);
    }

    private synchronized Piece take(Holder holder) throws BackendException {
        Entry own = holder.addedTo;
        if (own != null) {
            stopAwaiting(holder);
            awaitOthers(own);
            close(own);
        }
        for (Entry entry : closed) {
            if (entry.barrier == holder.barrier && !entry.pieces.isEmpty()) {
                entry.taken++;
                return entry.pieces.remove();
            }
        }
        return null;
    }

    private synchronized void stopAwaiting(Holder holder) {
        if (holder.addedTo != null) {
            holder.addedTo.awaited--;
            holder.addedTo = null;
            notifyAll();
        }
    }

    /**
     * Subtasks get a barrier, and come to the end of their files, at nearly the same time: if they wait for each
     * other their last batches are in the same table, and all of them give it out.
     */
    private void awaitOthers(Entry own) throws BackendException {
        long deadline = System.nanoTime() + patienceNanos;
        try {
            while (own.awaited > 0 && own.pieces == null) {
                long leftMillis = (deadline - System.nanoTime()) / 1_000_000;
                if (leftMillis <= 0) {
                    return;
                }
                wait(leftMillis);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new BackendException("interrupted while waiting for groups that are held", e);
        }
    }

    /** From here on nothing is added to a table, and it is given out. */
    private void close(Entry entry) {
        if (entry.pieces != null) {
            return;
        }
        entry.pieces = new ArrayDeque<>();
        int groups = entry.table.groups();
        for (int first = 0; first < groups; first += pieceGroups) {
            entry.pieces.add(new Piece(entry, first, Math.min(pieceGroups, groups - first)));
        }
        open.remove(entry);
        closed.add(entry);
        notifyAll();
    }

    private synchronized void given(Piece piece) {
        Entry entry = piece.entry;
        entry.taken--;
        if (entry.taken == 0 && entry.pieces.isEmpty()) {
            closed.remove(entry);
            entry.table.close();
        }
    }

    private synchronized void putBack(Piece piece) {
        piece.entry.taken--;
        piece.entry.pieces.addFirst(piece);
    }

    /** Gives all memory back; nobody uses it any more. */
    @Override
    public synchronized void close() {
        open.addAll(closed);
        closed.clear();
        for (Iterator<Entry> all = open.iterator(); all.hasNext(); ) {
            Entry entry = all.next();
            all.remove();
            entry.table.close();
        }
    }
}
