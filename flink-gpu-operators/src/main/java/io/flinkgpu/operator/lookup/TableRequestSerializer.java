package io.flinkgpu.operator.lookup;

import io.flinkgpu.api.CountedBytes;
import io.flinkgpu.api.FreshSerializer;

import org.apache.flink.api.common.typeutils.CompositeTypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

import java.io.IOException;

/** Writes each list with its length before it, -1 for no weights, then the record. */
final class TableRequestSerializer<Q> extends FreshSerializer<TableRequest<Q>> {

    private static final long serialVersionUID = 1L;

    private static final int NONE = -1;

    private final TypeSerializer<Q> record;

    TableRequestSerializer(TypeSerializer<Q> record) {
        super(record);
        this.record = record;
    }

    @Override
    public boolean isImmutableType() {
        return record.isImmutableType();
    }

    @Override
    public TypeSerializer<TableRequest<Q>> duplicate() {
        TypeSerializer<Q> duplicate = record.duplicate();
        return duplicate == record ? this : new TableRequestSerializer<>(duplicate);
    }

    @Override
    public TableRequest<Q> copy(TableRequest<Q> from) {
        return record.isImmutableType() ? from : from.withRecord(record.copy(from.record()));
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
        record.serialize(request.record(), target);
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
                record.deserialize(source), ids, bags, bagEnds, weights, dense, values);
    }

    @Override
    public TypeSerializerSnapshot<TableRequest<Q>> snapshotConfiguration() {
        return new Snapshot<>(this);
    }

    /** What a savepoint remembers of this serializer: the record's. Public for Flink. */
    public static final class Snapshot<Q>
            extends CompositeTypeSerializerSnapshot<TableRequest<Q>, TableRequestSerializer<Q>> {

        private static final int VERSION = 1;

        /** For Flink, which reads the rest. */
        public Snapshot() {}

        Snapshot(TableRequestSerializer<Q> serializer) {
            super(serializer);
        }

        @Override
        protected int getCurrentOuterSnapshotVersion() {
            return VERSION;
        }

        @Override
        protected TypeSerializer<?>[] getNestedSerializers(TableRequestSerializer<Q> serializer) {
            return new TypeSerializer<?>[] {serializer.record};
        }

        // The only nested serializer is the record's.
        @SuppressWarnings("unchecked")
        @Override
        protected TableRequestSerializer<Q> createOuterSerializerWithNestedSerializers(
                TypeSerializer<?>[] nested) {
            return new TableRequestSerializer<>((TypeSerializer<Q>) nested[0]);
        }
    }
}
