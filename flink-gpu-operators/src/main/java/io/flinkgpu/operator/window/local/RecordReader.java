package io.flinkgpu.operator.window.local;

import io.flinkgpu.api.Aggregates;
import io.flinkgpu.api.ErrorValues;
import io.flinkgpu.cells.RowCells;
import io.flinkgpu.column.BadValueException;
import io.flinkgpu.column.RowValues;
import io.flinkgpu.column.ValueReader;

import org.apache.flink.api.java.functions.KeySelector;
import org.apache.flink.api.java.tuple.Tuple;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

/** Reads the key and the values of records, and refuses those that cannot be aggregated. */
final class RecordReader<K, T> {

    private final KeySelector<T, K> selector;
    private final ValueReader<T> values;
    private final RowCells cells;
    private final String timestampUse;
    private final ErrorValues errors;

    /**
     * @param timestampUse why a record needs a timestamp, in messages; null if it needs none
     * @param errors writes values into messages
     */
    RecordReader(
            KeySelector<T, K> selector,
            Aggregates<T> aggregates,
            String timestampUse,
            ErrorValues errors) {
        this.selector = selector;
        this.errors = errors;
        this.values = new ValueReader<>(aggregates, errors);
        this.cells = new RowCells(aggregates.specs());
        this.timestampUse = timestampUse;
    }

    /** A row, to be filled by {@link #read}. */
    RowValues newRow() {
        return cells.newRow();
    }

    /**
     * Fills {@code into} with the record's values and what they add to cells.
     *
     * @return the key, not null; it may be the selector's to change
     */
    K read(StreamRecord<T> element, RowValues into) throws BadRecordException {
        T record = element.getValue();
        K key = key(record);
        if (timestampUse != null && element.getTimestamp() == Long.MIN_VALUE) {
            throw new BadRecordException(
                    "a record needs a timestamp "
                            + timestampUse
                            + ": timestamp=Long.MIN_VALUE, key="
                            + errors.shown(key)
                            + "; call assignTimestampsAndWatermarks(..) on the stream before",
                    null);
        }
        try {
            values.read(record, into);
            cells.fill(into, element.getTimestamp());
        } catch (BadValueException e) {
            throw new BadRecordException("key=" + errors.shown(key) + ": " + e.getMessage(), e);
        }
        return key;
    }

    private K key(T record) throws BadRecordException {
        K key;
        try {
            key = selector.getKey(record);
        } catch (Exception e) {
            throw new BadRecordException(
                    (record == null
                                    ? "a record is null, which the key selector does not take: error="
                                    : "a key selector must give a key for each record: error=")
                            + errors.thrown(e)
                            + "; filter such records out before",
                    errors.cause(e));
        }
        if (key == null) {
            throw new BadRecordException(
                    "a key must not be null: key=null; filter such records out before", null);
        }
        if (hasNull(key)) {
            throw new BadRecordException(
                    "a key that is a tuple must not have a null in it: key="
                            + errors.shown(key)
                            + "; filter such records out before",
                    null);
        }
        return key;
    }

    /** Flink's serializer of tuples refuses a null in one, but only when it comes to state. */
    private static boolean hasNull(Object key) {
        if (key instanceof Tuple tuple) {
            for (int field = 0; field < tuple.getArity(); field++) {
                Object value = tuple.getField(field);
                if (value == null || hasNull(value)) {
                    return true;
                }
            }
        }
        return false;
    }
}
