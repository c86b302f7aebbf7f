package io.flinkgpu.cells;

import io.flinkgpu.api.ColumnType;
import io.flinkgpu.column.RowValues;

import java.math.BigDecimal;

/**
 * Writes what a row adds to a {@link QuantileSketch}.
 *
 * @param type of numbers
 * @param column the row's column whose quantile is asked for
 */
record BucketEncoder(ColumnType type, int column, QuantileBuckets buckets) implements CellEncoder {

    @Override
    public void encode(RowValues row, long timestamp, CellBytes to) {
        to.own(0);
        to.addInt(buckets.bucket(number(row.word(column))));
        to.addLong(1);
    }

    private double number(long word) {
        if (type.isFloating()) {
            return Double.longBitsToDouble(word);
        }
        return type.kind() == ColumnType.Kind.DECIMAL
                ? BigDecimal.valueOf(word, type.scale()).doubleValue()
                : word;
    }
}
