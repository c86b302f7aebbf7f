package io.flinkgpu.sql.model;

import io.flinkgpu.operator.ProcessFailures;

import org.apache.flink.table.data.ArrayData;
import org.apache.flink.table.data.DecimalData;
import org.apache.flink.table.data.MapData;
import org.apache.flink.table.data.RawValueData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.data.TimestampData;
import org.apache.flink.types.RowKind;
import org.apache.flink.types.variant.Variant;

/**
 * In the place of an answer that is not there: whoever reads or copies it gets the reason. That is the task thread, so
 * that a reason for which Flink ends the process reaches it as it is.
 */
final class MissingAnswer implements RowData {

    private final Throwable reason;

    MissingAnswer(Throwable reason) {
        this.reason = reason;
    }

    private UnansweredException unanswered() {
        ProcessFailures.rethrow(reason);
        return new UnansweredException(reason);
    }

    @Override
    public int getArity() {
        throw unanswered();
    }

    @Override
    public RowKind getRowKind() {
        throw unanswered();
    }

    @Override
    public void setRowKind(RowKind kind) {
        throw unanswered();
    }

    @Override
    public boolean isNullAt(int pos) {
        throw unanswered();
    }

    @Override
    public boolean getBoolean(int pos) {
        throw unanswered();
    }

    @Override
    public byte getByte(int pos) {
        throw unanswered();
    }

    @Override
    public short getShort(int pos) {
        throw unanswered();
    }

    @Override
    public int getInt(int pos) {
        throw unanswered();
    }

    @Override
    public long getLong(int pos) {
        throw unanswered();
    }

    @Override
    public float getFloat(int pos) {
        throw unanswered();
    }

    @Override
    public double getDouble(int pos) {
        throw unanswered();
    }

    @Override
    public StringData getString(int pos) {
        throw unanswered();
    }

    @Override
    public DecimalData getDecimal(int pos, int precision, int scale) {
        throw unanswered();
    }

    @Override
    public TimestampData getTimestamp(int pos, int precision) {
        throw unanswered();
    }

    @Override
    public <T> RawValueData<T> getRawValue(int pos) {
        throw unanswered();
    }

    @Override
    public byte[] getBinary(int pos) {
        throw unanswered();
    }

    @Override
    public ArrayData getArray(int pos) {
        throw unanswered();
    }

    @Override
    public MapData getMap(int pos) {
        throw unanswered();
    }

    @Override
    public RowData getRow(int pos, int numFields) {
        throw unanswered();
    }

    @Override
    public Variant getVariant(int pos) {
        throw unanswered();
    }
}
