package io.flinkgpu.backend;

import io.flinkgpu.api.search.SetChange;
import io.flinkgpu.api.search.SetMatches;
import io.flinkgpu.backend.plan.SearchPlan;
import io.flinkgpu.backend.plan.SearchedBatch;
import io.flinkgpu.column.ColumnBatch;
import io.flinkgpu.testkit.SetSearchOracle;
import io.flinkgpu.testkit.VersionedQuery;

import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;

import java.util.List;
import java.util.stream.IntStream;

/** Searches sets by {@link SetSearchOracle}, for tests of what is around a backend. */
public class BruteForceSearchBackend implements Backend {

    private static final int DOCUMENT_BYTES = 32;

    private final BufferAllocator allocator = new RootAllocator(1L << 30);
    private final Engines engines = Engines.of(SearchPlan.class, Search::new);

    /** What a query finds. */
    protected SetMatches find(SetSearchOracle corpus, VersionedQuery query) {
        return corpus.find(query.query(), query.version());
    }

    /** Changes the corpus. */
    protected void apply(SetSearchOracle corpus, List<SetChange> changes) {
        changes.forEach(corpus::apply);
    }

    @Override
    public Placement placement() {
        return Placement.ON_CPU;
    }

    @Override
    public BufferAllocator allocator() {
        return allocator;
    }

    @Override
    public <R extends AutoCloseable> CompiledProgram<R> compile(Plan<R> plan)
            throws BackendException {
        return engines.compile(plan, placement());
    }

    @Override
    public void close() {
        allocator.close();
    }

    private final class Search implements CompiledProgram<SearchedBatch> {

        private final Corpus corpus;

        Search(SearchPlan plan) {
            corpus = new Corpus(plan);
        }

        @Override
        public List<Resident> residents() {
            return List.of(corpus);
        }

        @Override
        public Submission<SearchedBatch> submit(ColumnBatch batch) {
            return () -> result(SearchRows.queries(batch));
        }

        private SearchedBatch result(List<VersionedQuery> queries) {
            long[][] ids = new long[queries.size()][];
            int[][] pairs = new int[queries.size()][];
            for (int query = 0; query < ids.length; query++) {
                SetMatches found = find(corpus.documents, queries.get(query));
                ids[query] = IntStream.range(0, found.count()).mapToLong(found::id).toArray();
                pairs[query] =
                        IntStream.range(0, found.count())
                                .map(i -> SetMatches.pair(found.common(i), found.size(i)))
                                .toArray();
            }
            return new SearchedBatch(ids, pairs, 1);
        }

        @Override
        public void close() {}
    }

    private final class Corpus implements Resident {

        private final SearchPlan plan;
        private final SetSearchOracle documents;
        private long version;

        Corpus(SearchPlan plan) {
            this.plan = plan;
            documents = new SetSearchOracle(plan.similarity());
        }

        @Override
        public void apply(ColumnBatch changes) throws BackendException {
            documents.forget(documents.version());
            BruteForceSearchBackend.this.apply(documents, SearchRows.changes(changes));
            if (bytes() > plan.corpus().bytes()) {
                throw new BackendException(
                        plan.corpus().noRoom(bytes(), documents.documents().size()));
            }
            version++;
        }

        @Override
        public long version() {
            return version;
        }

        @Override
        public long bytes() {
            return documents.documents().stream()
                    .mapToLong(d -> DOCUMENT_BYTES + (long) d.elements().length * Integer.BYTES)
                    .sum();
        }
    }
}
