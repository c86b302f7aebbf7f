package io.flinkgpu.sql.aggregate;

import org.apache.flink.annotation.Internal;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.runtime.typeutils.RowDataSerializer;
import org.apache.flink.table.types.logical.RowType;

/**
 * Of rows that an operator hands to the next one of its chain as they are, with object reuse or without it: for
 * receivers that keep nothing of a row once they return. Where there is no chain rows are written as any others.
 */
@Internal
public final class InPlaceSerializer extends RowDataSerializer {

    private static final long serialVersionUID = 1L;

    private final RowType type;

    /**
     * @param type of the rows
     */
    public InPlaceSerializer(RowType type) {
        super(type);
        this.type = type;
    }

    /** The row itself. */
    @Override
    public RowData copy(RowData from) {
        return from;
    }

    /** The first row itself. */
    @Override
    public RowData copy(RowData from, RowData reuse) {
        return from;
    }

    @Override
    public TypeSerializer<RowData> duplicate() {
        return new InPlaceSerializer(type);
    }
}
