package io.flinkgpu.operator;

import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The part of a batch that stays on the task thread: the records its rows were made of, and the
 * marks (watermarks and the like) that arrived between them, each at its exact place.
 *
 * @param <IN> what the records carry
 * @param <R> result of the batch
 */
final class PendingBatch<IN, R extends AutoCloseable> {

    private final List<StreamRecord<IN>> records = new ArrayList<>();
    private final List<Mark> marks = new ArrayList<>();
    private int[] endRows = new int[64];
    private int[] markPlaces = new int[4];
    private BatchTicket<R> ticket;
    private int bytes;
    private int emittedRecords;
    private int emittedRows;
    private int forwardedMarks;

    /** Adds a record whose rows end before {@code endRow}. */
    void add(StreamRecord<IN> record, int endRow) {
        if (records.size() == endRows.length) {
            endRows = Arrays.copyOf(endRows, 2 * endRows.length);
        }
        endRows[records.size()] = endRow;
        records.add(record);
    }

    /** Adds a mark behind all records there are. */
    void add(Mark mark) {
        if (marks.size() == markPlaces.length) {
            markPlaces = Arrays.copyOf(markPlaces, 2 * markPlaces.length);
        }
        markPlaces[marks.size()] = records.size();
        marks.add(mark);
    }

    /** Says where the result will be, or null if the batch has no rows and so needs none. */
    void submitted(BatchTicket<R> ticket, int bytes) {
        this.ticket = ticket;
        this.bytes = bytes;
    }

    boolean isEmpty() {
        return records.isEmpty();
    }

    int rows() {
        return records.isEmpty() ? 0 : endRows[records.size() - 1];
    }

    /** Why the batch is not emitted to its end, or null. */
    Throwable failure() {
        return ticket == null ? null : ticket.failure();
    }

    /**
     * Emits what is there: records whose rows are, and the marks among them.
     *
     * @return false if more is to come; if not, {@link #failure()} tells whether all was emitted
     */
    boolean emit(BatchEmitter<IN, R> emitter) throws Exception {
        // In this order: a batch may become done between the two calls.
        boolean done = ticket == null || ticket.isDone();
        R part = ticket == null ? null : ticket.take();
        if (part != null) {
            try {
                emitRows(emitter.start(part), emitter);
            } finally {
                ticket.release(part);
            }
        }
        if (done && failure() == null) {
            emitRows(0, emitter);
            forwardMarks();
            if (ticket != null) {
                emitter.completed(rows(), bytes);
            }
        }
        return done;
    }

    private void emitRows(int partRows, BatchEmitter<IN, R> emitter) throws Exception {
        int partEnd = emittedRows + partRows;
        int from = emittedRows;
        boolean last = true;
        while (last && emittedRecords < records.size()) {
            forwardMarks();
            int endRow = endRows[emittedRecords];
            last = endRow <= partEnd;
            int to = last ? endRow : partEnd;
            if (last || from < to) {
                StreamRecord<IN> record = records.get(emittedRecords);
                emitter.emit(record, from - emittedRows, to - from, last);
            }
            emittedRecords += last ? 1 : 0;
            from = to;
        }
        emittedRows = partEnd;
    }

    /** Forwards the marks whose place is reached. */
    private void forwardMarks() throws Exception {
        while (forwardedMarks < marks.size() && markPlaces[forwardedMarks] == emittedRecords) {
            marks.get(forwardedMarks++).forward();
        }
    }

    /** Gives up on the result. */
    void abandon() throws Exception {
        if (ticket != null) {
            ticket.abandon();
        }
    }

    /** Something that is no record and keeps its place among the records. */
    @FunctionalInterface
    interface Mark {

        /** Passes it on. */
        void forward() throws Exception;
    }
}
