package io.flinkgpu.api.lookup;

import io.flinkgpu.api.WrapperSerializer;

import org.apache.flink.annotation.Internal;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

import java.io.IOException;

/** Writes a {@link LookupResult} as its record and what was found. */
@Internal
public final class LookupResultSerializer<Q> extends WrapperSerializer<Q, LookupResult<Q>> {

    private static final long serialVersionUID = 1L;

    public LookupResultSerializer(TypeSerializer<Q> record) {
        super(record);
    }

    @Override
    protected LookupResultSerializer<Q> with(TypeSerializer<Q> other) {
        return new LookupResultSerializer<>(other);
    }

    @Override
    protected Q unwrap(LookupResult<Q> result) {
        return result.record();
    }

    @Override
    protected LookupResult<Q> wrap(LookupResult<Q> result, Q content) {
        return new LookupResult<>(content, result.values());
    }

    @Override
    protected TypeSerializer<?>[] nested() {
        return new TypeSerializer<?>[] {inner, LookupValuesSerializer.INSTANCE};
    }

    @Override
    public void serialize(LookupResult<Q> result, DataOutputView target) throws IOException {
        inner.serialize(result.record(), target);
        LookupValuesSerializer.INSTANCE.serialize(result.values(), target);
    }

    @Override
    public LookupResult<Q> deserialize(DataInputView source) throws IOException {
        return new LookupResult<>(
                inner.deserialize(source), LookupValuesSerializer.INSTANCE.deserialize(source));
    }

    @Override
    public TypeSerializerSnapshot<LookupResult<Q>> snapshotConfiguration() {
        return new Snapshot<>(this);
    }

    /** What a savepoint remembers of this serializer: those of record and values. */
    public static final class Snapshot<Q>
            extends WrapperSerializer.Snapshot<Q, LookupResult<Q>, LookupResultSerializer<Q>> {

        /** For Flink, which reads the rest. */
        public Snapshot() {}

        Snapshot(LookupResultSerializer<Q> serializer) {
            super(serializer);
        }

        @Override
        protected LookupResultSerializer<Q> of(TypeSerializer<Q> inner) {
            return new LookupResultSerializer<>(inner);
        }
    }
}
