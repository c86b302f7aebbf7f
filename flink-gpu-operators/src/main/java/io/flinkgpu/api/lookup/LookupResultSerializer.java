package io.flinkgpu.api.lookup;

import io.flinkgpu.api.FreshSerializer;

import org.apache.flink.annotation.Internal;
import org.apache.flink.api.common.typeutils.CompositeTypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

import java.io.IOException;

/** Writes a {@link LookupResult} as its record and what was found. */
@Internal
public final class LookupResultSerializer<Q> extends FreshSerializer<LookupResult<Q>> {

    private static final long serialVersionUID = 1L;

    private final TypeSerializer<Q> record;

    public LookupResultSerializer(TypeSerializer<Q> record) {
        super(record);
        this.record = record;
    }

    @Override
    public boolean isImmutableType() {
        return record.isImmutableType();
    }

    @Override
    public TypeSerializer<LookupResult<Q>> duplicate() {
        TypeSerializer<Q> duplicate = record.duplicate();
        return duplicate == record ? this : new LookupResultSerializer<>(duplicate);
    }

    @Override
    public LookupResult<Q> copy(LookupResult<Q> from) {
        return record.isImmutableType()
                ? from
                : new LookupResult<>(record.copy(from.record()), from.values());
    }

    @Override
    public void serialize(LookupResult<Q> result, DataOutputView target) throws IOException {
        record.serialize(result.record(), target);
        LookupValuesSerializer.INSTANCE.serialize(result.values(), target);
    }

    @Override
    public LookupResult<Q> deserialize(DataInputView source) throws IOException {
        return new LookupResult<>(
                record.deserialize(source), LookupValuesSerializer.INSTANCE.deserialize(source));
    }

    @Override
    public TypeSerializerSnapshot<LookupResult<Q>> snapshotConfiguration() {
        return new Snapshot<>(this);
    }

    /** What a savepoint remembers of this serializer: those of record and values. */
    public static final class Snapshot<Q>
            extends CompositeTypeSerializerSnapshot<LookupResult<Q>, LookupResultSerializer<Q>> {

        private static final int VERSION = 1;

        /** For Flink, which reads the rest. */
        public Snapshot() {}

        Snapshot(LookupResultSerializer<Q> serializer) {
            super(serializer);
        }

        @Override
        protected int getCurrentOuterSnapshotVersion() {
            return VERSION;
        }

        @Override
        protected TypeSerializer<?>[] getNestedSerializers(LookupResultSerializer<Q> serializer) {
            return new TypeSerializer<?>[] {serializer.record, LookupValuesSerializer.INSTANCE};
        }

        // The first nested serializer is the record's.
        @SuppressWarnings("unchecked")
        @Override
        protected LookupResultSerializer<Q> createOuterSerializerWithNestedSerializers(
                TypeSerializer<?>[] nested) {
            return new LookupResultSerializer<>((TypeSerializer<Q>) nested[0]);
        }
    }
}
