package io.flinkgpu.api.search;

import io.flinkgpu.api.WrapperSerializer;

import org.apache.flink.annotation.Internal;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

import java.io.IOException;

/** Writes a {@link SearchResult} as its query and what was found. */
@Internal
public final class SearchResultSerializer<Q> extends WrapperSerializer<Q, SearchResult<Q>> {

    private static final long serialVersionUID = 1L;

    public SearchResultSerializer(TypeSerializer<Q> query) {
        super(query);
    }

    @Override
    protected SearchResultSerializer<Q> with(TypeSerializer<Q> other) {
        return new SearchResultSerializer<>(other);
    }

    @Override
    protected Q unwrap(SearchResult<Q> result) {
        return result.query();
    }

    @Override
    protected SearchResult<Q> wrap(SearchResult<Q> result, Q content) {
        return new SearchResult<>(content, result.matches());
    }

    @Override
    protected TypeSerializer<?>[] nested() {
        return new TypeSerializer<?>[] {inner, SetMatchesSerializer.INSTANCE};
    }

    @Override
    public void serialize(SearchResult<Q> result, DataOutputView target) throws IOException {
        inner.serialize(result.query(), target);
        SetMatchesSerializer.INSTANCE.serialize(result.matches(), target);
    }

    @Override
    public SearchResult<Q> deserialize(DataInputView source) throws IOException {
        return new SearchResult<>(
                inner.deserialize(source), SetMatchesSerializer.INSTANCE.deserialize(source));
    }

    @Override
    public TypeSerializerSnapshot<SearchResult<Q>> snapshotConfiguration() {
        return new Snapshot<>(this);
    }

    /** What a savepoint remembers of this serializer: those of query and matches. */
    public static final class Snapshot<Q>
            extends WrapperSerializer.Snapshot<Q, SearchResult<Q>, SearchResultSerializer<Q>> {

        /** For Flink, which reads the rest. */
        public Snapshot() {}

        Snapshot(SearchResultSerializer<Q> serializer) {
            super(serializer);
        }

        @Override
        protected SearchResultSerializer<Q> of(TypeSerializer<Q> inner) {
            return new SearchResultSerializer<>(inner);
        }
    }
}
