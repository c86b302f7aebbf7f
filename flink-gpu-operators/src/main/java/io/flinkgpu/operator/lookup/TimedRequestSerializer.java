package io.flinkgpu.operator.lookup;

import io.flinkgpu.api.WrapperSerializer;

import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

import java.io.IOException;

/** Writes the timestamp, the number and the request. */
final class TimedRequestSerializer<Q> extends WrapperSerializer<TableRequest<Q>, TimedRequest<Q>> {

    private static final long serialVersionUID = 1L;

    TimedRequestSerializer(TypeSerializer<TableRequest<Q>> request) {
        super(request);
    }

    @Override
    protected TimedRequestSerializer<Q> with(TypeSerializer<TableRequest<Q>> other) {
        return new TimedRequestSerializer<>(other);
    }

    @Override
    protected TableRequest<Q> unwrap(TimedRequest<Q> timed) {
        return timed.request();
    }

    @Override
    protected TimedRequest<Q> wrap(TimedRequest<Q> timed, TableRequest<Q> content) {
        return new TimedRequest<>(timed.timestamp(), timed.arrival(), content);
    }

    @Override
    public void serialize(TimedRequest<Q> timed, DataOutputView target) throws IOException {
        target.writeLong(timed.timestamp());
        target.writeLong(timed.arrival());
        inner.serialize(timed.request(), target);
    }

    @Override
    public TimedRequest<Q> deserialize(DataInputView source) throws IOException {
        return new TimedRequest<>(source.readLong(), source.readLong(), inner.deserialize(source));
    }

    @Override
    public TypeSerializerSnapshot<TimedRequest<Q>> snapshotConfiguration() {
        return new Snapshot<>(this);
    }

    /** What a savepoint remembers of this serializer: the request's. Public for Flink. */
    public static final class Snapshot<Q>
            extends WrapperSerializer.Snapshot<
                    TableRequest<Q>, TimedRequest<Q>, TimedRequestSerializer<Q>> {

        /** For Flink, which reads the rest. */
        public Snapshot() {}

        Snapshot(TimedRequestSerializer<Q> serializer) {
            super(serializer);
        }

        @Override
        protected TimedRequestSerializer<Q> of(TypeSerializer<TableRequest<Q>> inner) {
            return new TimedRequestSerializer<>(inner);
        }
    }
}
