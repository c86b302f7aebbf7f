package io.flinkgpu.api;

import org.apache.flink.annotation.Internal;
import org.apache.flink.api.common.typeutils.CompositeTypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.base.StringSerializer;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

import java.io.IOException;

/** Writes a {@link DeadLetter} as its record and its reason. */
@Internal
public final class DeadLetterSerializer<T> extends FreshSerializer<DeadLetter<T>> {

    private static final long serialVersionUID = 1L;

    private final TypeSerializer<T> record;

    public DeadLetterSerializer(TypeSerializer<T> record) {
        super(record);
        this.record = record;
    }

    @Override
    public boolean isImmutableType() {
        return record.isImmutableType();
    }

    @Override
    public TypeSerializer<DeadLetter<T>> duplicate() {
        TypeSerializer<T> duplicate = record.duplicate();
        return duplicate == record ? this : new DeadLetterSerializer<>(duplicate);
    }

    @Override
    public DeadLetter<T> copy(DeadLetter<T> from) {
        return record.isImmutableType()
                ? from
                : new DeadLetter<>(record.copy(from.record()), from.reason());
    }

    @Override
    public void serialize(DeadLetter<T> letter, DataOutputView target) throws IOException {
        record.serialize(letter.record(), target);
        StringSerializer.INSTANCE.serialize(letter.reason(), target);
    }

    @Override
    public DeadLetter<T> deserialize(DataInputView source) throws IOException {
        return new DeadLetter<>(
                record.deserialize(source), StringSerializer.INSTANCE.deserialize(source));
    }

    @Override
    public void copy(DataInputView source, DataOutputView target) throws IOException {
        record.copy(source, target);
        StringSerializer.INSTANCE.copy(source, target);
    }

    @Override
    public TypeSerializerSnapshot<DeadLetter<T>> snapshotConfiguration() {
        return new Snapshot<>(this);
    }

    /** What a savepoint remembers of this serializer: the record's. */
    public static final class Snapshot<T>
            extends CompositeTypeSerializerSnapshot<DeadLetter<T>, DeadLetterSerializer<T>> {

        private static final int VERSION = 1;

        /** For Flink, which reads the rest. */
        public Snapshot() {}

        Snapshot(DeadLetterSerializer<T> serializer) {
            super(serializer);
        }

        @Override
        protected int getCurrentOuterSnapshotVersion() {
            return VERSION;
        }

        @Override
        protected TypeSerializer<?>[] getNestedSerializers(DeadLetterSerializer<T> serializer) {
            return new TypeSerializer<?>[] {serializer.record};
        }

        // The only nested serializer is the record's.
        @SuppressWarnings("unchecked")
        @Override
        protected DeadLetterSerializer<T> createOuterSerializerWithNestedSerializers(
                TypeSerializer<?>[] nested) {
            return new DeadLetterSerializer<>((TypeSerializer<T>) nested[0]);
        }
    }
}
