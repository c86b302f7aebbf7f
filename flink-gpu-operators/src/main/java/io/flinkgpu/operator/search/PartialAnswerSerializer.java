package io.flinkgpu.operator.search;

import io.flinkgpu.api.FreshSerializer;
import io.flinkgpu.api.search.SetMatchesSerializer;

import org.apache.flink.api.common.typeutils.CompositeTypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

import java.io.IOException;

/** Writes origin, number, timestamp, shards, k, the record if there is one, and the matches. */
final class PartialAnswerSerializer<Q> extends FreshSerializer<PartialAnswer<Q>> {

    private static final long serialVersionUID = 1L;

    private final TypeSerializer<Q> record;

    PartialAnswerSerializer(TypeSerializer<Q> record) {
        super(record);
        this.record = record;
    }

    @Override
    public boolean isImmutableType() {
        return record.isImmutableType();
    }

    @Override
    public TypeSerializer<PartialAnswer<Q>> duplicate() {
        TypeSerializer<Q> duplicate = record.duplicate();
        return duplicate == record ? this : new PartialAnswerSerializer<>(duplicate);
    }

    @Override
    public PartialAnswer<Q> copy(PartialAnswer<Q> from) {
        return record.isImmutableType() || from.record() == null
                ? from
                : new PartialAnswer<>(
                        from.origin(),
                        from.number(),
                        from.timestamp(),
                        from.shards(),
                        from.k(),
                        record.copy(from.record()),
                        from.matches());
    }

    @Override
    public void serialize(PartialAnswer<Q> answer, DataOutputView target) throws IOException {
        target.writeInt(answer.origin());
        target.writeLong(answer.number());
        target.writeLong(answer.timestamp());
        target.writeInt(answer.shards());
        target.writeInt(answer.k());
        target.writeBoolean(answer.record() != null);
        if (answer.record() != null) {
            record.serialize(answer.record(), target);
        }
        SetMatchesSerializer.INSTANCE.serialize(answer.matches(), target);
    }

    @Override
    public PartialAnswer<Q> deserialize(DataInputView source) throws IOException {
        return new PartialAnswer<>(
                source.readInt(),
                source.readLong(),
                source.readLong(),
                source.readInt(),
                source.readInt(),
                source.readBoolean() ? record.deserialize(source) : null,
                SetMatchesSerializer.INSTANCE.deserialize(source));
    }

    @Override
    public TypeSerializerSnapshot<PartialAnswer<Q>> snapshotConfiguration() {
        return new Snapshot<>(this);
    }

    /** What a savepoint remembers of this serializer: those of record and matches. Public for Flink. */
    public static final class Snapshot<Q>
            extends CompositeTypeSerializerSnapshot<PartialAnswer<Q>, PartialAnswerSerializer<Q>> {

        private static final int VERSION = 1;

        /** For Flink, which reads the rest. */
        public Snapshot() {}

        Snapshot(PartialAnswerSerializer<Q> serializer) {
            super(serializer);
        }

        @Override
        protected int getCurrentOuterSnapshotVersion() {
            return VERSION;
        }

        @Override
        protected TypeSerializer<?>[] getNestedSerializers(PartialAnswerSerializer<Q> serializer) {
            return new TypeSerializer<?>[] {serializer.record, SetMatchesSerializer.INSTANCE};
        }

        // The first nested serializer is the record's.
        @SuppressWarnings("unchecked")
        @Override
        protected PartialAnswerSerializer<Q> createOuterSerializerWithNestedSerializers(
                TypeSerializer<?>[] nested) {
            return new PartialAnswerSerializer<>((TypeSerializer<Q>) nested[0]);
        }
    }
}
