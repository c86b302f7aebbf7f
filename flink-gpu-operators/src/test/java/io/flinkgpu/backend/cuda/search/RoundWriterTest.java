package io.flinkgpu.backend.cuda.search;

import io.flinkgpu.api.search.SetQuery;
import io.flinkgpu.backend.SearchRows;
import io.flinkgpu.column.ColumnBatch;
import io.flinkgpu.sets.Corpus;
import io.flinkgpu.testkit.VersionedQuery;

import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.memory.util.MemoryUtil;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.stream.IntStream;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Covers: RoundWriter, SearchAbi, SearchInput, SearchRound.
 */
class RoundWriterTest {

    private static final int GROUP = 8;
    private static final int NUMBER = 77;

    /** Groups take each other's place once it is known how they count. */
    @Test
    void eachQueryGetsWhatIsKnownOfItsOwnDocuments() {
        List<VersionedQuery> queries =
                IntStream.range(0, 12)
                        .mapToObj(i -> new VersionedQuery(SetQuery.of(5 + i, i, 100), 3))
                        .toList();
        SearchLayout layout = new SearchLayout(2 * GROUP, 2, 1_000, 100, 0);
        try (BufferAllocator allocator = new RootAllocator();
                ColumnBatch batch = SearchRows.queries(allocator, queries);
                HostBuffer buffer = new HostBuffer(allocator)) {
            buffer.reserve(2 * layout.inputBytes);
            SearchRound round =
                    new SearchRound(IntStream.range(0, queries.size()).toArray(), GROUP);
            for (int i = 0; i < GROUP; i++) {
                int row = round.rows[i];
                round.rows[i] = round.rows[GROUP + i];
                round.rows[GROUP + i] = row;
            }
            SearchInput input = new SearchInput(batch);
            round.number(input, new Corpus());
            RoundWriter writer = new RoundWriter(input, layout, 9);
            writer.write(round, buffer, layout.inputBytes, NUMBER);
            writer.writeKeys(IntStream.range(0, queries.size()).map(i -> 1_000 + i).toArray());

            long states = buffer.address() + layout.inputBytes;
            long written = states - layout.states;
            assertThat(MemoryUtil.getInt(written + layout.number)).isEqualTo(NUMBER);
            int start = 0;
            for (int slot = 0; slot < 2 * GROUP; slot++) {
                int row = round.rows[slot];
                boolean isQuery = row != SearchRound.NO_ROW;
                long query = written + layout.queries + slot * SearchAbi.SEARCH_QUERY_BYTES;
                long state = states + slot * SearchAbi.SEARCH_STATE_BYTES;
                assertThat(MemoryUtil.getInt(state + SearchAbi.SEARCH_STATE_MIN_KEY))
                        .isEqualTo(isQuery ? 1_000 + row : 0);
                int k = MemoryUtil.getInt(query + SearchAbi.SEARCH_QUERY_K);
                assertThat(k).isEqualTo(isQuery ? Math.min(5 + row, 9) : 1);
                assertThat(MemoryUtil.getInt(query + SearchAbi.SEARCH_QUERY_RESULT_START))
                        .isEqualTo(start)
                        .isEqualTo(writer.resultStarts()[slot]);
                start += k;
            }
        }
    }
}
