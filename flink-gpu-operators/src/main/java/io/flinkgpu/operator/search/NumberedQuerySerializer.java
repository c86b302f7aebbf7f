package io.flinkgpu.operator.search;

import io.flinkgpu.api.WrapperSerializer;
import io.flinkgpu.api.search.SetQuery;
import io.flinkgpu.api.search.SetQueryFormat;

import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

import java.io.IOException;

/** Writes origin, number, query and record, but no version. */
final class NumberedQuerySerializer<Q> extends WrapperSerializer<Q, NumberedQuery<Q>> {

    private static final long serialVersionUID = 1L;

    NumberedQuerySerializer(TypeSerializer<Q> record) {
        super(record);
    }

    @Override
    protected NumberedQuerySerializer<Q> with(TypeSerializer<Q> other) {
        return new NumberedQuerySerializer<>(other);
    }

    @Override
    protected Q unwrap(NumberedQuery<Q> query) {
        return query.record();
    }

    @Override
    protected NumberedQuery<Q> wrap(NumberedQuery<Q> query, Q content) {
        return new NumberedQuery<>(
                query.origin(), query.number(), content, query.query(), query.version());
    }

    @Override
    public void serialize(NumberedQuery<Q> numbered, DataOutputView target) throws IOException {
        target.writeInt(numbered.origin());
        target.writeLong(numbered.number());
        SetQueryFormat.write(numbered.query(), target);
        inner.serialize(numbered.record(), target);
    }

    @Override
    public NumberedQuery<Q> deserialize(DataInputView source) throws IOException {
        int origin = source.readInt();
        long number = source.readLong();
        SetQuery query = SetQueryFormat.read(source);
        return new NumberedQuery<>(origin, number, inner.deserialize(source), query);
    }

    @Override
    public TypeSerializerSnapshot<NumberedQuery<Q>> snapshotConfiguration() {
        return new Snapshot<>(this);
    }

    /** What a savepoint remembers of this serializer: the record's. Public for Flink. */
    public static final class Snapshot<Q>
            extends WrapperSerializer.Snapshot<Q, NumberedQuery<Q>, NumberedQuerySerializer<Q>> {

        /** For Flink, which reads the rest. */
        public Snapshot() {}

        Snapshot(NumberedQuerySerializer<Q> serializer) {
            super(serializer);
        }

        @Override
        protected NumberedQuerySerializer<Q> of(TypeSerializer<Q> inner) {
            return new NumberedQuerySerializer<>(inner);
        }
    }
}
