package io.flinkgpu.backend;

import io.flinkgpu.api.search.SetChange;
import io.flinkgpu.api.search.SetMatches;
import io.flinkgpu.api.search.SetQuery;
import io.flinkgpu.api.search.Similarity;
import io.flinkgpu.backend.plan.CorpusPlan;
import io.flinkgpu.backend.plan.SearchPlan;
import io.flinkgpu.backend.plan.SearchedBatch;
import io.flinkgpu.column.ColumnBatch;
import io.flinkgpu.testkit.SetSearchData;
import io.flinkgpu.testkit.VersionedQuery;

import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.nio.file.Path;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * That a backend finds in millions of documents what other programs did, one of them a plain scan: the sum of
 * {@link SetSearchData#mix} of each match's score, in 16,384ths, and id.
 */
public abstract class SearchCheckValues {

    private static final String SIZES = "setsearch.lengths";
    private static final int K = 100;
    private static final int BATCH_ROWS = 50_000;

    /** More than a document takes on the heap or on a device. */
    private static final long DOCUMENT_BYTES = 600;

    /** Opens the backend under test; it has memory for batches of 16 MiB. */
    protected abstract Backend open() throws Exception;

    @ParameterizedTest
    @CsvSource({
        "1963263, false, 128, 0e1a6537a3dc42e6",
        "1963263, true, 128, fbd29b7fd1c4af6f",
        "7853052, false, 128, 8e181fbea219c0f4",
        "7853052, true, 64, 43cb9a6f3ba844db"
    })
    void findsWhatOthersDid(long documents, boolean isSkewed, int queries, String sum)
            throws Exception {
        Assumptions.assumeTrue(
                System.getProperty(SIZES) != null,
                "no sizes of documents: set "
                        + SIZES
                        + " to a file of lines of a size and a count");
        long heapBytes = Runtime.getRuntime().maxMemory();
        Assumptions.assumeTrue(
                heapBytes > documents * DOCUMENT_BYTES,
                "no room for the documents: documents=%d, heapBytes=%d; give the process more"
                        .formatted(documents, heapBytes));
        SetSearchData data =
                new SetSearchData(Path.of(System.getProperty(SIZES)), isSkewed, documents);
        SearchPlan plan =
                new SearchPlan(
                        new CorpusPlan("documents", documents * DOCUMENT_BYTES), Similarity.MAX);
        try (Backend backend = open();
                CompiledProgram<SearchedBatch> program = backend.compile(plan)) {
            fill(backend, program.residents().get(0), data);
            assertThat("%016x".formatted(sum(backend, program, data, isSkewed, queries)))
                    .isEqualTo(sum);
        }
    }

    private static void fill(Backend backend, Resident corpus, SetSearchData data)
            throws BackendException {
        for (long from = 0; from < data.documents(); from += BATCH_ROWS) {
            long to = Math.min(data.documents(), from + BATCH_ROWS);
            try (ColumnBatch batch =
                    SearchRows.changes(
                            backend.allocator(),
                            LongStream.range(from, to)
                                    .mapToObj(i -> SetChange.upsert(i, data.document(i)))
                                    .toList())) {
                corpus.apply(batch);
            }
        }
    }

    private static long sum(
            Backend backend,
            CompiledProgram<SearchedBatch> program,
            SetSearchData data,
            boolean isSkewed,
            int queries)
            throws BackendException {
        long sum = 0;
        try (ColumnBatch batch =
                        SearchRows.queries(
                                backend.allocator(),
                                IntStream.range(0, queries)
                                        .mapToObj(i -> query(data, isSkewed, i))
                                        .toList());
                SearchedBatch found = program.submit(batch).await()) {
            for (int query = 0; query < queries; query++) {
                int size = query(data, isSkewed, query).query().elements().length;
                SetMatches matches = found.matches(query, Similarity.MAX, size);
                for (int i = 0; i < matches.count(); i++) {
                    long score = (matches.common(i) << 14) / Math.max(size, matches.size(i));
                    sum += SetSearchData.mix(score << Integer.SIZE | matches.id(i));
                }
            }
        }
        return sum;
    }

    private static VersionedQuery query(SetSearchData data, boolean isSkewed, int number) {
        int[] elements = isSkewed ? data.drawnQuery(number) : data.uniformQuery(number);
        return new VersionedQuery(SetQuery.of(K, elements), data.documents());
    }
}
