package io.flinkgpu.operator.lookup;

import io.flinkgpu.api.CountedBytes;
import io.flinkgpu.api.FreshSerializer;

import org.apache.flink.api.common.typeutils.SimpleTypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

import java.io.IOException;

/** Writes the table's number, the id, and the vector with its length before it, -1 for none. Stateless. */
final class TableChangeSerializer extends FreshSerializer<TableChange> {

    static final TableChangeSerializer INSTANCE = new TableChangeSerializer();

    private static final long serialVersionUID = 1L;

    private static final int NONE = -1;

    private TableChangeSerializer() {}

    @Override
    public void serialize(TableChange change, DataOutputView target) throws IOException {
        target.writeInt(change.table());
        target.writeLong(change.id());
        writeVector(change.vector(), target);
    }

    static void writeVector(byte[] vector, DataOutputView target) throws IOException {
        target.writeInt(vector == null ? NONE : vector.length);
        if (vector != null) {
            target.write(vector);
        }
    }

    @Override
    public TableChange deserialize(DataInputView source) throws IOException {
        int table = source.readInt();
        long id = source.readLong();
        return new TableChange(table, id, readVector(source));
    }

    static byte[] readVector(DataInputView source) throws IOException {
        int bytes = source.readInt();
        return bytes == NONE ? null : CountedBytes.read("a vector", bytes, source);
    }

    @Override
    public TypeSerializerSnapshot<TableChange> snapshotConfiguration() {
        return new Snapshot();
    }

    /** There is one format. Public for Flink, which makes it by its name. */
    public static final class Snapshot extends SimpleTypeSerializerSnapshot<TableChange> {

        public Snapshot() {
            super(() -> INSTANCE);
        }
    }
}
