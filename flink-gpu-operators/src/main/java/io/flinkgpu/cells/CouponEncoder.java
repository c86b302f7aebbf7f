package io.flinkgpu.cells;

import io.flinkgpu.api.ColumnType;
import io.flinkgpu.column.RowValues;

/**
 * Writes what a row adds to a {@link DistinctSketch}: of a decimal its unscaled value, of a float the
 * double.
 *
 * @param column the row's column whose values are counted
 */
record CouponEncoder(ColumnType type, int column) implements CellEncoder {

    @Override
    public void encode(RowValues row, long timestamp, CellBytes to) {
        to.own(0);
        to.addByte(DistinctSketch.FEW);
        to.addInt(coupon(row));
    }

    private int coupon(RowValues row) {
        if (Entries.isText(type)) {
            return Coupons.ofText(row.text(column), 0, row.textBytes(column));
        }
        long word = row.word(column);
        return type.isFloating()
                ? Coupons.ofDouble(Double.longBitsToDouble(word))
                : Coupons.ofLong(word);
    }
}
