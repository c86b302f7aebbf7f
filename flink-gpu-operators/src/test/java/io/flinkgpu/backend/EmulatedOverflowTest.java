package io.flinkgpu.backend;

import io.flinkgpu.api.search.SetChange;
import io.flinkgpu.api.search.SetQuery;
import io.flinkgpu.api.search.Similarity;
import io.flinkgpu.backend.cuda.search.EmulatedSearch;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.ArrayList;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * More documents reach what a sample says than there is room for as candidates.
 *
 * <p>Covers: CudaSearch.
 */
class EmulatedOverflowTest {

    private static final int DOCUMENTS = 69_000;

    /** One document of so many has two elements in common with a query, the others one. */
    private static final int BETTER = 100;

    /** In two tiles there is room for those of one, in tiles of a thousand for those of sixteen. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void isSearchedForAgainUntilThereIsRoom(boolean hasSmallTiles) throws Exception {
        List<SetChange> changes = new ArrayList<>();
        for (int i = 0; i < DOCUMENTS; i++) {
            changes.add(SetChange.upsert(i, 1, i % BETTER == 7 ? 2 : 3));
        }
        try (Backend backend =
                        hasSmallTiles ? EmulatedSearch.inverting() : EmulatedSearch.scanning();
                SearchTester corpus = new SearchTester(backend, Similarity.MAX)) {
            corpus.apply(changes);
            // The first is found at once, the second once the better documents are known. All are
            // alike for the third.
            SetQuery[] queries = {
                SetQuery.of(5, 1, 2), SetQuery.of(100, 1, 2), SetQuery.of(5, 1),
            };
            List<String> found = corpus.find(queries);
            assertThat(found.get(0)).startsWith("[7:2:2 107:2:2 207:2:2 ");
            assertThat(found.get(1)).startsWith("[7:2:2 107:2:2 207:2:2 ");
            assertThat(found.get(2)).startsWith("[0:1:2 1:1:2 2:1:2 ");
        }
    }
}
