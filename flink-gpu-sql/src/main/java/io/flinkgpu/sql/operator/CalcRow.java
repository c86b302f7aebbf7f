package io.flinkgpu.sql.operator;

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
 * A row of which some columns are those of another row and the others are computed. Reused from row to row,
 * as the row of Flink's own Calc is.
 */
final class CalcRow implements RowData {

    private final int[] columns;
    private final Computed computed;
    private RowData kept;
    private RowKind kind = RowKind.INSERT;

    /**
     * @param columns for each column that of the other row, or {@code -1 - i} for the computed one
     *     {@code i}
     */
    CalcRow(int[] columns, Computed computed) {
        this.columns = columns;
        this.computed = computed;
    }

    /** The same row with the columns of another one, and of its kind. */
    CalcRow of(RowData kept) {
        this.kept = kept;
        this.kind = kept.getRowKind();
        return this;
    }

    @Override
    public int getArity() {
        return columns.length;
    }

    @Override
    public RowKind getRowKind() {
        return kind;
    }

    @Override
    public void setRowKind(RowKind kind) {
        this.kind = kind;
    }

    @Override
    public boolean isNullAt(int pos) {
        int column = columns[pos];
        return column >= 0 ? kept.isNullAt(column) : computed.isNull(-1 - column);
    }

    @Override
    public boolean getBoolean(int pos) {
        int column = columns[pos];
        return column >= 0 ? kept.getBoolean(column) : computed.word(-1 - column) != 0;
    }

    @Override
    public byte getByte(int pos) {
        int column = columns[pos];
        return column >= 0 ? kept.getByte(column) : (byte) computed.word(-1 - column);
    }

    @Override
    public short getShort(int pos) {
        int column = columns[pos];
        return column >= 0 ? kept.getShort(column) : (short) computed.word(-1 - column);
    }

    @Override
    public int getInt(int pos) {
        int column = columns[pos];
        return column >= 0 ? kept.getInt(column) : (int) computed.word(-1 - column);
    }

    @Override
    public long getLong(int pos) {
        int column = columns[pos];
        return column >= 0 ? kept.getLong(column) : computed.word(-1 - column);
    }

    @Override
    public float getFloat(int pos) {
        return kept.getFloat(columns[pos]);
    }

    @Override
    public double getDouble(int pos) {
        int column = columns[pos];
        return column >= 0
                ? kept.getDouble(column)
                : Double.longBitsToDouble(computed.word(-1 - column));
    }

    @Override
    public StringData getString(int pos) {
        int column = columns[pos];
        return column >= 0 ? kept.getString(column) : computed.text(-1 - column);
    }

    @Override
    public DecimalData getDecimal(int pos, int precision, int scale) {
        return kept.getDecimal(columns[pos], precision, scale);
    }

    @Override
    public TimestampData getTimestamp(int pos, int precision) {
        return kept.getTimestamp(columns[pos], precision);
    }

    @Override
    public <T> RawValueData<T> getRawValue(int pos) {
        return kept.getRawValue(columns[pos]);
    }

    @Override
    public byte[] getBinary(int pos) {
        return kept.getBinary(columns[pos]);
    }

    @Override
    public ArrayData getArray(int pos) {
        return kept.getArray(columns[pos]);
    }

    @Override
    public MapData getMap(int pos) {
        return kept.getMap(columns[pos]);
    }

    @Override
    public RowData getRow(int pos, int numFields) {
        return kept.getRow(columns[pos], numFields);
    }

    @Override
    public Variant getVariant(int pos) {
        return kept.getVariant(columns[pos]);
    }
}
