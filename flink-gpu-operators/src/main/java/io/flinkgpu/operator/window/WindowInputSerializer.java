package io.flinkgpu.operator.window;

import io.flinkgpu.api.Errors;
import io.flinkgpu.api.FreshSerializer;
import io.flinkgpu.groups.GroupBlock;

import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

import java.io.IOException;

/**
 * Writes a byte for the kind, then the record, or a key and the block. For data on its way between operators only: it has no snapshot.
 */
final class WindowInputSerializer<K, T> extends FreshSerializer<WindowInput<K, T>> {

    private static final long serialVersionUID = 1L;

    private static final byte RAW = 0;
    private static final byte BLOCK = 1;

    private final TypeSerializer<K> keySerializer;
    private final TypeSerializer<T> recordSerializer;

    WindowInputSerializer(TypeSerializer<K> keySerializer, TypeSerializer<T> recordSerializer) {
        super(keySerializer, recordSerializer);
        this.keySerializer = keySerializer;
        this.recordSerializer = recordSerializer;
    }

    @Override
    public boolean isImmutableType() {
        return false;
    }

    @Override
    public TypeSerializer<WindowInput<K, T>> duplicate() {
        TypeSerializer<K> key = keySerializer.duplicate();
        TypeSerializer<T> record = recordSerializer.duplicate();
        return key == keySerializer && record == recordSerializer
                ? this
                : new WindowInputSerializer<>(key, record);
    }

    @Override
    public WindowInput<K, T> createInstance() {
        return WindowInput.raw(recordSerializer.createInstance());
    }

    @Override
    public WindowInput<K, T> copy(WindowInput<K, T> from) {
        if (from.isRaw()) {
            return WindowInput.raw(recordSerializer.copy(from.record()));
        }
        return WindowInput.block(keySerializer.copy(from.key()), from.block());
    }

    @Override
    public void serialize(WindowInput<K, T> input, DataOutputView target) throws IOException {
        if (input.isRaw()) {
            target.writeByte(RAW);
            recordSerializer.serialize(input.record(), target);
        } else {
            target.writeByte(BLOCK);
            keySerializer.serialize(input.key(), target);
            input.block().write(target);
        }
    }

    @Override
    public WindowInput<K, T> deserialize(DataInputView source) throws IOException {
        if (isRaw(source.readByte())) {
            return WindowInput.raw(recordSerializer.deserialize(source));
        }
        K key = keySerializer.deserialize(source);
        return WindowInput.block(key, GroupBlock.read(source));
    }

    @Override
    public void copy(DataInputView source, DataOutputView target) throws IOException {
        byte kind = source.readByte();
        boolean raw = isRaw(kind);
        target.writeByte(kind);
        if (raw) {
            recordSerializer.copy(source, target);
        } else {
            keySerializer.copy(source, target);
            GroupBlock.copy(source, target);
        }
    }

    private static boolean isRaw(byte kind) throws IOException {
        if (kind != RAW && kind != BLOCK) {
            throw Errors.io(
                    "a window input is a record (0) or a block (1): kind=%s; both operators must"
                            + " be of one version of the library",
                    kind);
        }
        return kind == RAW;
    }

    @Override
    public TypeSerializerSnapshot<WindowInput<K, T>> snapshotConfiguration() {
        throw new UnsupportedOperationException(
                "window inputs are for data between operators and cannot be in state; keep the"
                        + " results of the window instead");
    }
}
