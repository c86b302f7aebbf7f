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

    int records() {
        return records.size();
    }

    StreamRecord<IN> record(int index) {
        return records.get(index);
    }

    int firstRow(int index) {
        return index == 0 ? 0 : endRows[index - 1];
    }

    int endRow(int index) {
        return endRows[index];
    }

    int rows() {
        return records.isEmpty() ? 0 : endRows[records.size() - 1];
    }

    int bytes() {
        return bytes;
    }

    int marks() {
        return marks.size();
    }

    Mark mark(int index) {
        return marks.get(index);
    }

    /** How many records come before a mark. */
    int markPlace(int index) {
        return markPlaces[index];
    }

    boolean isDone() {
        return ticket == null || ticket.isDone();
    }

    /** The failure of a batch that is done, or null. */
    Throwable failure() {
        return ticket == null ? null : ticket.failure();
    }

    /** Takes the result of a batch that is done; null if it has no rows. The caller closes it. */
    R takeResult() {
        return ticket == null ? null : ticket.take();
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
