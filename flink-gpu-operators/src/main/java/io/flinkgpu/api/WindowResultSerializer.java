package io.flinkgpu.api;

import org.apache.flink.annotation.Internal;
import org.apache.flink.api.common.typeutils.CompositeTypeSerializerSnapshot;
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
public final class WindowResultSerializer<K> extends FreshSerializer<WindowResult<K>> {

    private static final long serialVersionUID = 1L;

    private final TypeSerializer<K> key;
    private final ResultSchema schema;

    public WindowResultSerializer(TypeSerializer<K> key, ResultSchema schema) {
        super(key, schema);
        this.key = key;
        this.schema = schema;
    }

    @Override
    public boolean isImmutableType() {
        return key.isImmutableType();
    }

    @Override
    public TypeSerializer<WindowResult<K>> duplicate() {
        TypeSerializer<K> duplicate = key.duplicate();
        return duplicate == key ? this : new WindowResultSerializer<>(duplicate, schema);
    }

    @Override
    public WindowResult<K> copy(WindowResult<K> from) {
        return key.isImmutableType()
                ? from
                : new WindowResult<>(
                        key.copy(from.key()), from.startMillis(), from.endMillis(), from.values());
    }

    @Override
    public void serialize(WindowResult<K> result, DataOutputView target) throws IOException {
        key.serialize(result.key(), target);
        target.writeLong(result.startMillis());
        target.writeLong(result.endMillis());
        ResultFormat.write(result.values(), schema, target);
    }

    @Override
    public WindowResult<K> deserialize(DataInputView source) throws IOException {
        return new WindowResult<>(
                key.deserialize(source),
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
            extends CompositeTypeSerializerSnapshot<WindowResult<K>, WindowResultSerializer<K>> {

        private static final int VERSION = 1;

        private ResultSchema schema;

        /** For Flink, which reads the rest. */
        public Snapshot() {}

        Snapshot(WindowResultSerializer<K> serializer) {
            super(serializer);
            schema = serializer.schema;
        }

        @Override
        protected int getCurrentOuterSnapshotVersion() {
            return VERSION;
        }

        @Override
        protected TypeSerializer<?>[] getNestedSerializers(WindowResultSerializer<K> serializer) {
            return new TypeSerializer<?>[] {serializer.key};
        }

        // The only nested serializer is the key's.
        @SuppressWarnings("unchecked")
        @Override
        protected WindowResultSerializer<K> createOuterSerializerWithNestedSerializers(
                TypeSerializer<?>[] nested) {
            return new WindowResultSerializer<>((TypeSerializer<K>) nested[0], schema);
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
