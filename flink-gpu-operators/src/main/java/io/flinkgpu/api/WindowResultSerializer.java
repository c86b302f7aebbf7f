package io.flinkgpu.api;

import org.apache.flink.annotation.Internal;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

import java.io.IOException;

/**
 * Writes a {@link WindowResult} as its key, two int64 and the values as {@link ResultFormat} says. Its
 * schema stands in the snapshot; results of another one are another type.
 */
@Internal
public final class WindowResultSerializer<K> extends WrapperSerializer<K, WindowResult<K>> {

    private static final long serialVersionUID = 1L;

    private final ResultSchema schema;

    public WindowResultSerializer(TypeSerializer<K> key, ResultSchema schema) {
        super(key, schema);
        this.schema = schema;
    }

    @Override
    protected WindowResultSerializer<K> with(TypeSerializer<K> other) {
        return new WindowResultSerializer<>(other, schema);
    }

    @Override
    protected K unwrap(WindowResult<K> result) {
        return result.key();
    }

    @Override
    protected WindowResult<K> wrap(WindowResult<K> result, K key) {
        return new WindowResult<>(key, result.startMillis(), result.endMillis(), result.values());
    }

    @Override
    public void serialize(WindowResult<K> result, DataOutputView target) throws IOException {
        inner.serialize(result.key(), target);
        target.writeLong(result.startMillis());
        target.writeLong(result.endMillis());
        ResultFormat.write(result.values(), schema, target);
    }

    @Override
    public WindowResult<K> deserialize(DataInputView source) throws IOException {
        return new WindowResult<>(
                inner.deserialize(source),
                source.readLong(),
                source.readLong(),
                ResultFormat.read(schema, source));
    }

    @Override
    public TypeSerializerSnapshot<WindowResult<K>> snapshotConfiguration() {
        return new Snapshot<>(this);
    }

    /** What a savepoint remembers of this serializer: the key's, and the schema. */
    public static final class Snapshot<K>
            extends WrapperSerializer.Snapshot<K, WindowResult<K>, WindowResultSerializer<K>> {

        private ResultSchema schema;

        /** For Flink, which reads the rest. */
        public Snapshot() {}

        Snapshot(WindowResultSerializer<K> serializer) {
            super(serializer);
            schema = serializer.schema;
        }

        @Override
        protected WindowResultSerializer<K> of(TypeSerializer<K> key) {
            return new WindowResultSerializer<>(key, schema);
        }

        @Override
        protected void writeOuterSnapshot(DataOutputView target) throws IOException {
            ResultFormat.writeSchema(schema, target);
        }

        @Override
        protected void readOuterSnapshot(int version, DataInputView source, ClassLoader classLoader)
                throws IOException {
            schema = ResultFormat.readSchema(source);
        }

        @Override
        protected OuterSchemaCompatibility resolveOuterSchemaCompatibility(
                TypeSerializerSnapshot<WindowResult<K>> oldSnapshot) {
            return oldSnapshot instanceof Snapshot<K> old && schema.equals(old.schema)
                    ? OuterSchemaCompatibility.COMPATIBLE_AS_IS
                    : OuterSchemaCompatibility.INCOMPATIBLE;
        }
    }
}
