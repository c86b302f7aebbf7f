package io.flinkgpu.api;

import org.apache.flink.annotation.Internal;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.apache.flink.core.memory.DataOutputView;

import java.io.IOException;
import java.util.Arrays;

/**
 * Writes a {@link WindowResult} of any aggregates: as {@link WindowResultSerializer} does, with the schema,
 * its bytes after their number, before the values. Where the aggregates are known that one writes less.
 */
@Internal
public final class DescribedResultSerializer<K> extends WrapperSerializer<K, WindowResult<K>> {

    private static final long serialVersionUID = 1L;

    /** A schema and what it is written as. */
    private record Written(ResultSchema schema, byte[] bytes) {}

    /** Those of the last result, as the next one mostly has the same; any thread may replace it. */
    private transient Written last;

    public DescribedResultSerializer(TypeSerializer<K> key) {
        super(key);
    }

    @Override
    protected DescribedResultSerializer<K> with(TypeSerializer<K> other) {
        return new DescribedResultSerializer<>(other);
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
        byte[] schema = written(result.values().schema());
        target.writeInt(schema.length);
        target.write(schema);
        ResultFormat.write(result.values(), result.values().schema(), target);
    }

    @Override
    public WindowResult<K> deserialize(DataInputView source) throws IOException {
        K key = inner.deserialize(source);
        long start = source.readLong();
        long end = source.readLong();
        ResultSchema schema = schema(CountedBytes.read("a schema of results", source));
        return new WindowResult<>(key, start, end, ResultFormat.read(schema, source));
    }

    private byte[] written(ResultSchema schema) throws IOException {
        Written known = last;
        if (known == null || known.schema != schema) {
            DataOutputSerializer target = new DataOutputSerializer(64);
            ResultFormat.writeSchema(schema, target);
            known = new Written(schema, target.getCopyOfBuffer());
            last = known;
        }
        return known.bytes;
    }

    private ResultSchema schema(byte[] bytes) throws IOException {
        Written known = last;
        if (known == null || !Arrays.equals(known.bytes, bytes)) {
            known = new Written(ResultFormat.readSchema(new DataInputDeserializer(bytes)), bytes);
            last = known;
        }
        return known.schema;
    }

    @Override
    public TypeSerializerSnapshot<WindowResult<K>> snapshotConfiguration() {
        return new Snapshot<>(this);
    }

    /** What a savepoint remembers of this serializer: the key's. */
    public static final class Snapshot<K>
            extends WrapperSerializer.Snapshot<K, WindowResult<K>, DescribedResultSerializer<K>> {

        /** For Flink, which reads the rest. */
        public Snapshot() {}

        Snapshot(DescribedResultSerializer<K> serializer) {
            super(serializer);
        }

        @Override
        protected DescribedResultSerializer<K> of(TypeSerializer<K> key) {
            return new DescribedResultSerializer<>(key);
        }
    }
}
