package io.flinkgpu.api;

import org.apache.flink.annotation.Internal;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.base.StringSerializer;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

import java.io.IOException;

/** Writes a {@link DeadLetter} as its record and its reason. */
@Internal
public final class DeadLetterSerializer<T> extends WrapperSerializer<T, DeadLetter<T>> {

    private static final long serialVersionUID = 1L;

    public DeadLetterSerializer(TypeSerializer<T> record) {
        super(record);
    }

    @Override
    protected DeadLetterSerializer<T> with(TypeSerializer<T> other) {
        return new DeadLetterSerializer<>(other);
    }

    @Override
    protected T unwrap(DeadLetter<T> letter) {
        return letter.record();
    }

    @Override
    protected DeadLetter<T> wrap(DeadLetter<T> letter, T content) {
        return new DeadLetter<>(content, letter.reason());
    }

    @Override
    public void serialize(DeadLetter<T> letter, DataOutputView target) throws IOException {
        inner.serialize(letter.record(), target);
        StringSerializer.INSTANCE.serialize(letter.reason(), target);
    }

    @Override
    public DeadLetter<T> deserialize(DataInputView source) throws IOException {
        return new DeadLetter<>(
                inner.deserialize(source), StringSerializer.INSTANCE.deserialize(source));
    }

    @Override
    public void copy(DataInputView source, DataOutputView target) throws IOException {
        inner.copy(source, target);
        StringSerializer.INSTANCE.copy(source, target);
    }

    @Override
    public TypeSerializerSnapshot<DeadLetter<T>> snapshotConfiguration() {
        return new Snapshot<>(this);
    }

    /** What a savepoint remembers of this serializer: the record's. */
    public static final class Snapshot<T>
            extends WrapperSerializer.Snapshot<T, DeadLetter<T>, DeadLetterSerializer<T>> {

        /** For Flink, which reads the rest. */
        public Snapshot() {}

        Snapshot(DeadLetterSerializer<T> serializer) {
            super(serializer);
        }

        @Override
        protected DeadLetterSerializer<T> of(TypeSerializer<T> inner) {
            return new DeadLetterSerializer<>(inner);
        }
    }
}
