package io.flinkgpu.operator;

import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;

/**
 * The part of a batch that stays on the task thread: the records its rows were made of, and the
 * marks (watermarks and the like) that arrived between them, each at its exact place.
 *
 * @param <IN> what the records carry
 * @param <R> result of the batch
 */
final class PendingBatch<IN, R extends AutoCloseable> extends InFlightBatch<R> {

    private static final int MIN_RECORDS = 64;

    private final BatchEmitter<IN, R> emitter;
    private final StreamRecord<IN> emitted = new StreamRecord<>(null);
    private final List<Mark> marks = new ArrayList<>();
    private Object[] values;
    private long[] timestamps;
    private final BitSet withoutTimestamp = new BitSet();
    private int[] endRows;
    private int[] markPlaces = new int[4];
    private int records;
    private int bytes;
    private int emittedRecords;
    private int emittedRows;
    private int forwardedMarks;

    /**
     * @param emitter gets the records, each in the same {@code StreamRecord}
     * @param expectedRecords there is room for, and for any number more
     */
    PendingBatch(BatchEmitter<IN, R> emitter, int expectedRecords) {
        this.emitter = emitter;
        int room = Math.max(MIN_RECORDS, expectedRecords);
        values = new Object[room];
        timestamps = new long[room];
        endRows = new int[room];
    }

    /** Adds a record with this value and the element's timestamp, whose rows end before {@code endRow}. */
    void add(IN value, StreamRecord<?> element, int endRow) {
        if (records == values.length) {
            values = Arrays.copyOf(values, 2 * records);
            timestamps = Arrays.copyOf(timestamps, 2 * records);
            endRows = Arrays.copyOf(endRows, 2 * records);
        }
        values[records] = value;
        if (element.hasTimestamp()) {
            timestamps[records] = element.getTimestamp();
        } else {
            withoutTimestamp.set(records);
        }
        endRows[records++] = endRow;
    }

    /** Adds a mark behind all records there are. */
    void add(Mark mark) {
        if (marks.size() == markPlaces.length) {
            markPlaces = Arrays.copyOf(markPlaces, 2 * markPlaces.length);
        }
        markPlaces[marks.size()] = records;
        marks.add(mark);
    }

    /** Says how many bytes its rows have. */
    void setBytes(int bytes) {
        this.bytes = bytes;
    }

    boolean isEmpty() {
        return records == 0;
    }

    /** Whether all was emitted, so that no mark has a place in it any more. */
    boolean isEmitted() {
        return values == null;
    }

    int records() {
        return records;
    }

    int rows() {
        return records == 0 ? 0 : endRows[records - 1];
    }

    /** Emits records whose rows are there, and the marks among them. */
    @Override
    protected void emitPart(R part) throws Exception {
        int rows = emitter.start(part);
        emitter.records(recordsUpTo(emittedRows + rows));
        emitRows(rows);
    }

    @Override
    protected void emitEnd() throws Exception {
        emitRows(0);
        forwardMarks();
        // Whoever knows the last batch must not keep its records.
        values = null;
        if (hasRows()) {
            emitter.completed(rows(), bytes);
        }
    }

    /** Those that are not emitted and end with a row or before. */
    private PartRecords<IN> recordsUpTo(int row) {
        int first = emittedRecords;
        int end = first;
        while (end < records && endRows[end] <= row) {
            end++;
        }
        int count = end - first;
        return new PartRecords<>() {

            @Override
            public int count() {
                return count;
            }

            @Override
            public StreamRecord<IN> record(int number) {
                return PendingBatch.this.record(first + Objects.checkIndex(number, count));
            }
        };
    }

    private void emitRows(int partRows) throws Exception {
        int partEnd = emittedRows + partRows;
        int from = emittedRows;
        boolean last = true;
        while (last && emittedRecords < records) {
            forwardMarks();
            int endRow = endRows[emittedRecords];
            last = endRow <= partEnd;
            int to = last ? endRow : partEnd;
            if (last || from < to) {
                emitter.emit(record(emittedRecords), from - emittedRows, to - from, last);
            }
            emittedRecords += last ? 1 : 0;
            from = to;
        }
        emittedRows = partEnd;
    }

    @SuppressWarnings("unchecked") // The array holds what add() was given.
    private StreamRecord<IN> record(int index) {
        emitted.replace((IN) values[index], timestamps[index]);
        if (withoutTimestamp.get(index)) {
            emitted.eraseTimestamp();
        }
        return emitted;
    }

    /** Forwards the marks whose place is reached. */
    private void forwardMarks() throws Exception {
        while (forwardedMarks < marks.size() && markPlaces[forwardedMarks] == emittedRecords) {
            marks.get(forwardedMarks++).forward();
        }
    }
}
