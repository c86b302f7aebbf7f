package io.flinkgpu.api.search;

import io.flinkgpu.api.FreshSerializer;

import org.apache.flink.annotation.Internal;
import org.apache.flink.api.common.typeutils.CompositeTypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

import java.io.IOException;

/** Writes a {@link SearchResult} as its query and what was found. */
@Internal
public final class SearchResultSerializer<Q> extends FreshSerializer<SearchResult<Q>> {

    private static final long serialVersionUID = 1L;

    private final TypeSerializer<Q> query;

    public SearchResultSerializer(TypeSerializer<Q> query) {
        super(query);
        this.query = query;
    }

    @Override
    public boolean isImmutableType() {
        return query.isImmutableType();
    }

    @Override
    public TypeSerializer<SearchResult<Q>> duplicate() {
        TypeSerializer<Q> duplicate = query.duplicate();
        return duplicate == query ? this : new SearchResultSerializer<>(duplicate);
    }

    @Override
    public SearchResult<Q> copy(SearchResult<Q> from) {
        return query.isImmutableType()
                ? from
                : new SearchResult<>(query.copy(from.query()), from.matches());
    }

    @Override
    public void serialize(SearchResult<Q> result, DataOutputView target) throws IOException {
        query.serialize(result.query(), target);
        SetMatchesSerializer.INSTANCE.serialize(result.matches(), target);
    }

    @Override
    public SearchResult<Q> deserialize(DataInputView source) throws IOException {
        return new SearchResult<>(
                query.deserialize(source), SetMatchesSerializer.INSTANCE.deserialize(source));
    }

    @Override
    public TypeSerializerSnapshot<SearchResult<Q>> snapshotConfiguration() {
        return new Snapshot<>(this);
    }

    /** What a savepoint remembers of this serializer: those of query and matches. */
    public static final class Snapshot<Q>
            extends CompositeTypeSerializerSnapshot<SearchResult<Q>, SearchResultSerializer<Q>> {

        private static final int VERSION = 1;

        /** For Flink, which reads the rest. */
        public Snapshot() {}

        Snapshot(SearchResultSerializer<Q> serializer) {
            super(serializer);
        }

        @Override
        protected int getCurrentOuterSnapshotVersion() {
            return VERSION;
        }

        @Override
        protected TypeSerializer<?>[] getNestedSerializers(SearchResultSerializer<Q> serializer) {
            return new TypeSerializer<?>[] {serializer.query, SetMatchesSerializer.INSTANCE};
        }

        // The first nested serializer is the query's.
        @SuppressWarnings("unchecked")
        @Override
        protected SearchResultSerializer<Q> createOuterSerializerWithNestedSerializers(
                TypeSerializer<?>[] nested) {
            return new SearchResultSerializer<>((TypeSerializer<Q>) nested[0]);
        }
    }
}
