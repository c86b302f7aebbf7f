package io.flinkgpu.sql.connector;

import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;
import org.apache.flink.table.data.RowData;

import java.io.IOException;

/** Copies no row; all else is done by the serializer of the same rows elsewhere. */
final class InPlaceSerializer extends TypeSerializer<RowData> {

    private static final long serialVersionUID = 1L;

    private final TypeSerializer<RowData> rows;

    InPlaceSerializer(TypeSerializer<RowData> rows) {
        this.rows = rows;
    }

    @Override
    public RowData copy(RowData from) {
        return from;
    }

    @Override
    public RowData copy(RowData from, RowData reuse) {
        return from;
    }

    @Override
    public boolean isImmutableType() {
        return false;
    }

    @Override
    public TypeSerializer<RowData> duplicate() {
        return new InPlaceSerializer(rows.duplicate());
    }

    @Override
    public RowData createInstance() {
        return rows.createInstance();
    }

    @Override
    public int getLength() {
        return rows.getLength();
    }

    @Override
    public void serialize(RowData row, DataOutputView target) throws IOException {
        rows.serialize(row, target);
    }

    @Override
    public RowData deserialize(DataInputView source) throws IOException {
        return rows.deserialize(source);
    }

    @Override
    public RowData deserialize(RowData reuse, DataInputView source) throws IOException {
        return rows.deserialize(reuse, source);
    }

    @Override
    public void copy(DataInputView source, DataOutputView target) throws IOException {
        rows.copy(source, target);
    }

    @Override
    public TypeSerializerSnapshot<RowData> snapshotConfiguration() {
        return rows.snapshotConfiguration();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof InPlaceSerializer inPlace && rows.equals(inPlace.rows);
    }

    @Override
    public int hashCode() {
        return 31 * rows.hashCode();
    }
}
