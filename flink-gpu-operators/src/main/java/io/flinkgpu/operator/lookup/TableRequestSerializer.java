package io.flinkgpu.operator.lookup;

import io.flinkgpu.api.CountedBytes;
import io.flinkgpu.api.WrapperSerializer;

import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

import java.io.IOException;

/** Writes each list with its length before it, -1 for no weights, then the record. */
final class TableRequestSerializer<Q> extends WrapperSerializer<Q, TableRequest<Q>> {

    private static final long serialVersionUID = 1L;

    private static final int NONE = -1;

    TableRequestSerializer(TypeSerializer<Q> record) {
        super(record);
    }

    @Override
    protected TableRequestSerializer<Q> with(TypeSerializer<Q> other) {
        return new TableRequestSerializer<>(other);
    }

    @Override
    protected Q unwrap(TableRequest<Q> request) {
        return request.record();
    }

    @Override
    protected TableRequest<Q> wrap(TableRequest<Q> request, Q content) {
        return request.withRecord(content);
    }

    @Override
    public void serialize(TableRequest<Q> request, DataOutputView target) throws IOException {
        write(request.ids(), target);
        write(request.bags(), target);
        write(request.bagEnds(), target);
        if (request.weights() == null) {
            target.writeInt(NONE);
        } else {
            write(request.weights(), target);
        }
        write(request.dense(), target);
        target.writeLong(request.values());
        inner.serialize(request.record(), target);
    }

    private static void write(byte[] bytes, DataOutputView target) throws IOException {
        target.writeInt(bytes.length);
        target.write(bytes);
    }

    @Override
    public TableRequest<Q> deserialize(DataInputView source) throws IOException {
        byte[] ids = CountedBytes.read("ids", source);
        byte[] bags = CountedBytes.read("bags", source);
        byte[] bagEnds = CountedBytes.read("ends of bags", source);
        int weightBytes = source.readInt();
        byte[] weights =
                weightBytes == NONE ? null : CountedBytes.read("weights", weightBytes, source);
        byte[] dense = CountedBytes.read("numbers of a request", source);
        long values = source.readLong();
        return new TableRequest<>(
                inner.deserialize(source), ids, bags, bagEnds, weights, dense, values);
    }

    @Override
    public TypeSerializerSnapshot<TableRequest<Q>> snapshotConfiguration() {
        return new Snapshot<>(this);
    }

    /** What a savepoint remembers of this serializer: the record's. Public for Flink. */
    public static final class Snapshot<Q>
            extends WrapperSerializer.Snapshot<Q, TableRequest<Q>, TableRequestSerializer<Q>> {

        /** For Flink, which reads the rest. */
        public Snapshot() {}

        Snapshot(TableRequestSerializer<Q> serializer) {
            super(serializer);
        }

        @Override
        protected TableRequestSerializer<Q> of(TypeSerializer<Q> inner) {
            return new TableRequestSerializer<>(inner);
        }
    }
}
