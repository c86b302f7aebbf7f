package io.flinkgpu.cells;

import io.flinkgpu.api.ColumnType;
import io.flinkgpu.column.RowValues;

/**
 * Writes the {@link Entries entry} of a row.
 *
 * @param orderColumn the row's column that orders it, or {@link #BY_TIME}
 * @param payloadColumn the row's column that is asked for; of no meaning if there is no payload
 * @param counted whether the number of entries comes before them, as {@link GreatestRows} keeps them
 */
record EntryEncoder(Entries entries, int orderColumn, int payloadColumn, boolean counted)
        implements CellEncoder {

    /** Instead of a column: the timestamp. */
    static final int BY_TIME = -1;

    @Override
    public void encode(RowValues row, long timestamp, CellBytes to) {
        to.own(0);
        if (counted) {
            to.addInt(1);
        }
        if (orderColumn == BY_TIME) {
            to.addLong(timestamp);
        } else {
            add(row, orderColumn, entries.order(), to);
        }
        if (entries.payload() == null) {
            return;
        }
        boolean isNull = row.isNull(payloadColumn);
        to.addByte(isNull ? 1 : 0);
        if (!isNull) {
            add(row, payloadColumn, entries.payload(), to);
        }
    }

    private static void add(RowValues row, int column, ColumnType type, CellBytes to) {
        if (Entries.isText(type)) {
            to.addInt(row.textBytes(column));
            to.add(row.text(column), row.textBytes(column));
        } else {
            to.addLong(OrderedNumbers.of(row.word(column), type));
        }
    }
}
