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
final class PendingBatch<IN, R extends AutoCloseable> extends InFlightBatch<R> {

    private final BatchEmitter<IN, R> emitter;
    private final List<StreamRecord<IN>> records = new ArrayList<>();
    private final List<Mark> marks = new ArrayList<>();
    private int[] endRows = new int[64];
    private int[] markPlaces = new int[4];
    private int bytes;
    private int emittedRecords;
    private int emittedRows;
    private int forwardedMarks;

    PendingBatch(BatchEmitter<IN, R> emitter) {
        this.emitter = emitter;
    }

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

    /** Says how many bytes its rows have. */
    void setBytes(int bytes) {
        this.bytes = bytes;
    }

    boolean isEmpty() {
        return records.isEmpty();
    }

    int rows() {
        return records.isEmpty() ? 0 : endRows[records.size() - 1];
    }

    /** Emits records whose rows are there, and the marks among them. */
    @Override
    protected void emitPart(R part) throws Exception {
        emitRows(emitter.start(part));
    }

    @Override
    protected void emitEnd() throws Exception {
        emitRows(0);
        forwardMarks();
        if (hasRows()) {
            emitter.completed(rows(), bytes);
        }
    }

    private void emitRows(int partRows) throws Exception {
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

    /** Something that is no record and keeps its place among the records. */
    @FunctionalInterface
    interface Mark {

        /** Passes it on. */
        void forward() throws Exception;
    }
}
