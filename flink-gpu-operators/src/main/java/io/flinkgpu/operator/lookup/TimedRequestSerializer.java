package io.flinkgpu.operator.lookup;

import io.flinkgpu.api.FreshSerializer;

import org.apache.flink.api.common.typeutils.CompositeTypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

import java.io.IOException;

/** Writes the timestamp, the number and the request. */
final class TimedRequestSerializer<Q> extends FreshSerializer<TimedRequest<Q>> {

    private static final long serialVersionUID = 1L;

    private final TypeSerializer<TableRequest<Q>> request;

    TimedRequestSerializer(TypeSerializer<TableRequest<Q>> request) {
        super(request);
        this.request = request;
    }

    @Override
    public boolean isImmutableType() {
        return request.isImmutableType();
    }

    @Override
    public TypeSerializer<TimedRequest<Q>> duplicate() {
        TypeSerializer<TableRequest<Q>> duplicate = request.duplicate();
        return duplicate == request ? this : new TimedRequestSerializer<>(duplicate);
    }

    @Override
    public TimedRequest<Q> copy(TimedRequest<Q> from) {
        return new TimedRequest<>(from.timestamp(), from.arrival(), request.copy(from.request()));
    }

    @Override
    public void serialize(TimedRequest<Q> timed, DataOutputView target) throws IOException {
        target.writeLong(timed.timestamp());
        target.writeLong(timed.arrival());
        request.serialize(timed.request(), target);
    }

    @Override
    public TimedRequest<Q> deserialize(DataInputView source) throws IOException {
        return new TimedRequest<>(
                source.readLong(), source.readLong(), request.deserialize(source));
    }

    @Override
    public TypeSerializerSnapshot<TimedRequest<Q>> snapshotConfiguration() {
        return new Snapshot<>(this);
    }

    /** What a savepoint remembers of this serializer: the request's. Public for Flink. */
    public static final class Snapshot<Q>
            extends CompositeTypeSerializerSnapshot<TimedRequest<Q>, TimedRequestSerializer<Q>> {

        private static final int VERSION = 1;

        /** For Flink, which reads the rest. */
        public Snapshot() {}

        Snapshot(TimedRequestSerializer<Q> serializer) {
            super(serializer);
        }

        @Override
        protected int getCurrentOuterSnapshotVersion() {
            return VERSION;
        }

        @Override
        protected TypeSerializer<?>[] getNestedSerializers(TimedRequestSerializer<Q> serializer) {
            return new TypeSerializer<?>[] {serializer.request};
        }

        // The only nested serializer is the request's.
        @SuppressWarnings("unchecked")
        @Override
        protected TimedRequestSerializer<Q> createOuterSerializerWithNestedSerializers(
                TypeSerializer<?>[] nested) {
            return new TimedRequestSerializer<>((TypeSerializer<TableRequest<Q>>) nested[0]);
        }
    }
}
