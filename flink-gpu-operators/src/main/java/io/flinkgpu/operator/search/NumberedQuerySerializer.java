package io.flinkgpu.operator.search;

import io.flinkgpu.api.FreshSerializer;
import io.flinkgpu.api.search.SetQuery;

import org.apache.flink.api.common.typeutils.CompositeTypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

import java.io.IOException;

/** Writes origin, number, query and record, but no version. */
final class NumberedQuerySerializer<Q> extends FreshSerializer<NumberedQuery<Q>> {

    private static final long serialVersionUID = 1L;

    private final TypeSerializer<Q> record;

    NumberedQuerySerializer(TypeSerializer<Q> record) {
        super(record);
        this.record = record;
    }

    @Override
    public boolean isImmutableType() {
        return record.isImmutableType();
    }

    @Override
    public TypeSerializer<NumberedQuery<Q>> duplicate() {
        TypeSerializer<Q> duplicate = record.duplicate();
        return duplicate == record ? this : new NumberedQuerySerializer<>(duplicate);
    }

    @Override
    public NumberedQuery<Q> copy(NumberedQuery<Q> from) {
        return record.isImmutableType()
                ? from
                : new NumberedQuery<>(
                        from.origin(),
                        from.number(),
                        record.copy(from.record()),
                        from.query(),
                        from.version());
    }

    @Override
    public void serialize(NumberedQuery<Q> numbered, DataOutputView target) throws IOException {
        target.writeInt(numbered.origin());
        target.writeLong(numbered.number());
        SetQuery query = numbered.query();
        target.writeInt(query.k());
        target.writeDouble(query.minScore());
        target.writeBoolean(query.includesZero());
        target.writeInt(query.attributeMask());
        target.writeInt(query.attributeValue());
        int[] elements = query.elements();
        target.writeShort(elements.length);
        for (int element : elements) {
            target.writeInt(element);
        }
        record.serialize(numbered.record(), target);
    }

    @Override
    public NumberedQuery<Q> deserialize(DataInputView source) throws IOException {
        int origin = source.readInt();
        long number = source.readLong();
        int k = source.readInt();
        double minScore = source.readDouble();
        boolean includesZero = source.readBoolean();
        int mask = source.readInt();
        int value = source.readInt();
        int[] elements = new int[source.readUnsignedShort()];
        for (int i = 0; i < elements.length; i++) {
            elements[i] = source.readInt();
        }
        SetQuery query =
                SetQuery.of(k, elements)
                        .withMinScore(minScore)
                        .withZero(includesZero)
                        .withAttributes(mask, value);
        return new NumberedQuery<>(origin, number, record.deserialize(source), query);
    }

    @Override
    public TypeSerializerSnapshot<NumberedQuery<Q>> snapshotConfiguration() {
        return new Snapshot<>(this);
    }

    /** What a savepoint remembers of this serializer: the record's. Public for Flink. */
    public static final class Snapshot<Q>
            extends CompositeTypeSerializerSnapshot<NumberedQuery<Q>, NumberedQuerySerializer<Q>> {

        private static final int VERSION = 1;

        /** For Flink, which reads the rest. */
        public Snapshot() {}

        Snapshot(NumberedQuerySerializer<Q> serializer) {
            super(serializer);
        }

        @Override
        protected int getCurrentOuterSnapshotVersion() {
            return VERSION;
        }

        @Override
        protected TypeSerializer<?>[] getNestedSerializers(NumberedQuerySerializer<Q> serializer) {
            return new TypeSerializer<?>[] {serializer.record};
        }

        // The only nested serializer is the record's.
        @SuppressWarnings("unchecked")
        @Override
        protected NumberedQuerySerializer<Q> createOuterSerializerWithNestedSerializers(
                TypeSerializer<?>[] nested) {
            return new NumberedQuerySerializer<>((TypeSerializer<Q>) nested[0]);
        }
    }
}
