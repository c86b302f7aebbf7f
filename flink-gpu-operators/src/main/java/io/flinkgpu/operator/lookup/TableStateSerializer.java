package io.flinkgpu.operator.lookup;

import io.flinkgpu.api.CountedBytes;
import io.flinkgpu.api.FreshSerializer;
import io.flinkgpu.api.lookup.BaseFile;
import io.flinkgpu.api.lookup.ElementType;

import org.apache.flink.api.common.typeutils.SimpleTypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

import java.io.IOException;
import java.util.Optional;

/** Writes number, type, dimension and version, then the base file, if there is one. Stateless. */
final class TableStateSerializer extends FreshSerializer<TableState> {

    static final TableStateSerializer INSTANCE = new TableStateSerializer();

    private static final long serialVersionUID = 1L;

    /** By the numbers that are written, which none may change. */
    private static final ElementType[] TYPES = ElementType.values();

    private static final int NO_BASE = 0;
    private static final int RAW = 1;
    private static final int SAFETENSORS = 2;

    private TableStateSerializer() {}

    @Override
    public void serialize(TableState state, DataOutputView target) throws IOException {
        target.writeInt(state.number());
        target.writeByte(state.type().ordinal());
        target.writeInt(state.dimension());
        target.writeLong(state.version());
        BaseFile base = state.base();
        if (base == null) {
            target.writeByte(NO_BASE);
            return;
        }
        target.writeByte(base.format() == BaseFile.Format.RAW ? RAW : SAFETENSORS);
        target.writeUTF(base.path());
        target.writeLong(base.checksum().orElseThrow());
        if (base.format() == BaseFile.Format.SAFETENSORS) {
            target.writeUTF(base.vectors());
            write(base.ids(), target);
            write(base.scales(), target);
            write(base.biases(), target);
        }
    }

    private static void write(Optional<String> name, DataOutputView target) throws IOException {
        target.writeBoolean(name.isPresent());
        if (name.isPresent()) {
            target.writeUTF(name.get());
        }
    }

    @Override
    public TableState deserialize(DataInputView source) throws IOException {
        int number = source.readInt();
        int type = source.readUnsignedByte();
        int dimension = source.readInt();
        long version = source.readLong();
        int format = source.readUnsignedByte();
        if (type >= TYPES.length || format > SAFETENSORS) {
            throw CountedBytes.corrupt("a table", "type=" + type + ", format=" + format, null);
        }
        BaseFile base = null;
        if (format != NO_BASE) {
            String path = source.readUTF();
            long checksum = source.readLong();
            base =
                    (format == RAW ? BaseFile.raw(path) : tensors(path, source))
                            .withChecksum(checksum);
        }
        return new TableState(number, TYPES[type], dimension, base, version);
    }

    private static BaseFile tensors(String path, DataInputView source) throws IOException {
        BaseFile base = BaseFile.safetensors(path, source.readUTF());
        if (source.readBoolean()) {
            base = base.withIds(source.readUTF());
        }
        String scales = source.readBoolean() ? source.readUTF() : null;
        String biases = source.readBoolean() ? source.readUTF() : null;
        return scales == null ? base : base.withScaleAndBias(scales, biases);
    }

    @Override
    public TypeSerializerSnapshot<TableState> snapshotConfiguration() {
        return new Snapshot();
    }

    /** There is one format. Public for Flink, which makes it by its name. */
    public static final class Snapshot extends SimpleTypeSerializerSnapshot<TableState> {

        public Snapshot() {
            super(() -> INSTANCE);
        }
    }
}
