package io.flinkgpu.sql.connector;

import io.flinkgpu.api.lines.Field;
import io.flinkgpu.api.lines.FieldFormat;
import io.flinkgpu.api.lines.LineFields;

import org.apache.flink.table.data.ArrayData;
import org.apache.flink.table.data.DecimalData;
import org.apache.flink.table.data.MapData;
import org.apache.flink.table.data.RawValueData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.data.TimestampData;
import org.apache.flink.types.RowKind;
import org.apache.flink.types.variant.Variant;

/** A row of some fields of the line that was read last, which are read as they are asked for. Reused from line to line. */
final class LineRow implements RowData {

    private final int[] columns;
    private final boolean[] skipped;
    private LineFields line;

    /**
     * @param columns which fields, in the order of the row
     * @param fields the same fields
     */
    LineRow(int[] columns, Field[] fields) {
        this.columns = columns;
        skipped = new boolean[fields.length];
        for (int i = 0; i < fields.length; i++) {
            skipped[i] = fields[i].format() == FieldFormat.SKIPPED;
        }
    }

    /** The row of a line. */
    LineRow of(LineFields line) {
        this.line = line;
        return this;
    }

    @Override
    public int getArity() {
        return columns.length;
    }

    @Override
    public RowKind getRowKind() {
        return RowKind.INSERT;
    }

    @Override
    public void setRowKind(RowKind kind) {
        if (kind != RowKind.INSERT) {
            throw new UnsupportedOperationException("a line is inserted: kind=" + kind);
        }
    }

    @Override
    public boolean isNullAt(int pos) {
        return skipped[pos] || line.isNull(columns[pos]);
    }

    @Override
    public int getInt(int pos) {
        return (int) line.word(columns[pos]);
    }

    @Override
    public long getLong(int pos) {
        return line.word(columns[pos]);
    }

    @Override
    public double getDouble(int pos) {
        return Double.longBitsToDouble(line.word(columns[pos]));
    }

    @Override
    public StringData getString(int pos) {
        return StringData.fromBytes(line.text(columns[pos]));
    }

    @Override
    public DecimalData getDecimal(int pos, int precision, int scale) {
        return DecimalData.fromUnscaledLong(line.word(columns[pos]), precision, scale);
    }

    @Override
    public TimestampData getTimestamp(int pos, int precision) {
        return TimestampData.fromEpochMillis(line.word(columns[pos]));
    }

    @Override
    public boolean getBoolean(int pos) {
        throw noSuchColumn();
    }

    @Override
    public byte getByte(int pos) {
        throw noSuchColumn();
    }

    @Override
    public short getShort(int pos) {
        throw noSuchColumn();
    }

    @Override
    public float getFloat(int pos) {
        throw noSuchColumn();
    }

    @Override
    public <T> RawValueData<T> getRawValue(int pos) {
        throw noSuchColumn();
    }

    @Override
    public byte[] getBinary(int pos) {
        throw noSuchColumn();
    }

    @Override
    public ArrayData getArray(int pos) {
        throw noSuchColumn();
    }

    @Override
    public MapData getMap(int pos) {
        throw noSuchColumn();
    }

    @Override
    public RowData getRow(int pos, int numFields) {
        throw noSuchColumn();
    }

    @Override
    public Variant getVariant(int pos) {
        throw noSuchColumn();
    }

    private static UnsupportedOperationException noSuchColumn() {
        return new UnsupportedOperationException("a line has no column of this type");
    }
}
