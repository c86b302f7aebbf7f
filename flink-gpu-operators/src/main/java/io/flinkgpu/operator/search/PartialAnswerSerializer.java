package io.flinkgpu.operator.search;

import io.flinkgpu.api.WrapperSerializer;
import io.flinkgpu.api.search.SetMatchesSerializer;

import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

import java.io.IOException;

/** Writes origin, number, timestamp, shards, k, the record if there is one, and the matches. */
final class PartialAnswerSerializer<Q> extends WrapperSerializer<Q, PartialAnswer<Q>> {

    private static final long serialVersionUID = 1L;

    PartialAnswerSerializer(TypeSerializer<Q> record) {
        super(record);
    }

    @Override
    protected PartialAnswerSerializer<Q> with(TypeSerializer<Q> other) {
        return new PartialAnswerSerializer<>(other);
    }

    @Override
    protected Q unwrap(PartialAnswer<Q> answer) {
        return answer.record();
    }

    @Override
    protected PartialAnswer<Q> wrap(PartialAnswer<Q> answer, Q content) {
        return new PartialAnswer<>(
                answer.origin(),
                answer.number(),
                answer.timestamp(),
                answer.shards(),
                answer.k(),
                content,
                answer.matches());
    }

    @Override
    protected TypeSerializer<?>[] nested() {
        return new TypeSerializer<?>[] {inner, SetMatchesSerializer.INSTANCE};
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
            inner.serialize(answer.record(), target);
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
                source.readBoolean() ? inner.deserialize(source) : null,
                SetMatchesSerializer.INSTANCE.deserialize(source));
    }

    @Override
    public TypeSerializerSnapshot<PartialAnswer<Q>> snapshotConfiguration() {
        return new Snapshot<>(this);
    }

    /** What a savepoint remembers of this serializer: those of record and matches. Public for Flink. */
    public static final class Snapshot<Q>
            extends WrapperSerializer.Snapshot<Q, PartialAnswer<Q>, PartialAnswerSerializer<Q>> {

        /** For Flink, which reads the rest. */
        public Snapshot() {}

        Snapshot(PartialAnswerSerializer<Q> serializer) {
            super(serializer);
        }

        @Override
        protected PartialAnswerSerializer<Q> of(TypeSerializer<Q> inner) {
            return new PartialAnswerSerializer<>(inner);
        }
    }
}
