package io.flinkgpu.backend.cpu.search;

import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.CompiledProgram;
import io.flinkgpu.backend.Resident;
import io.flinkgpu.backend.Submission;
import io.flinkgpu.backend.plan.SearchPlan;
import io.flinkgpu.backend.plan.SearchedBatch;
import io.flinkgpu.column.ColumnBatch;
import io.flinkgpu.sets.Corpus;
import io.flinkgpu.sets.Documents;
import io.flinkgpu.sets.SearchGauge;

import org.apache.flink.annotation.Internal;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.function.LongSupplier;

/** Searches a {@link CpuCorpus} for the queries of a batch. */
@Internal
public final class CpuSearch implements CompiledProgram<SearchedBatch> {

    private final SearchPlan plan;
    private final SearchCost cost;
    private final CpuCorpus corpus;
    private final IndexScan indexScan = new IndexScan();

    /** For scans, by the number of an element; zero between them. */
    private long[] masks = new long[0];

    public CpuSearch(SearchPlan plan) throws BackendException {
        this(plan, new Corpus(), SearchCost.MEASURED, OpenBlocks.LEAST_ELEMENTS);
    }

    /**
     * @param documents none; the program's from here on
     * @param blockElements of {@link OpenBlocks}
     */
    CpuSearch(SearchPlan plan, Corpus documents, SearchCost cost, int blockElements)
            throws BackendException {
        this.plan = plan;
        this.cost = cost;
        corpus = new CpuCorpus(plan.corpus(), documents, blockElements);
    }

    @Override
    public List<Resident> residents() {
        return List.of(corpus);
    }

    @Override
    public Map<String, LongSupplier> gauges() {
        return corpus.gauges().all();
    }

    @Override
    public Submission<SearchedBatch> submit(ColumnBatch batch) {
        return () -> {
            long started = System.nanoTime();
            List<RunningQuery> queries = queries(batch);
            search(new ArrayList<>(queries));
            for (RunningQuery query : queries) {
                corpus.gauges().add(SearchGauge.CANDIDATES, query.candidates());
                addZero(query);
            }
            return result(queries, started);
        };
    }

    private List<RunningQuery> queries(ColumnBatch batch) {
        int largest = 0;
        for (Documents tile : tiles()) {
            largest = Math.max(largest, tile.largest());
        }
        QueryColumns columns = new QueryColumns(plan.similarity(), batch);
        List<RunningQuery> queries = new ArrayList<>(columns.rows());
        for (int row = 0; row < columns.rows(); row++) {
            queries.add(new RunningQuery(columns, row, documents().numbers(), largest));
        }
        return queries;
    }

    /** Searches for queries, whose order changes. */
    private void search(List<RunningQuery> queries) {
        List<Slots> parts = shuffled();
        List<Slots> narrow = parts.stream().filter(part -> part.tile().isNarrow()).toList();
        int scanned = cost.scanned(queries, documents(), narrow);
        List<RunningQuery> rest = queries.subList(scanned, queries.size());
        List<Slots> notIndexed = new ArrayList<>(List.of(corpus.narrowRest()));
        List<Slots> wideNotIndexed = new ArrayList<>(List.of(corpus.wideRest()));
        for (Slots part : parts) {
            boolean isNarrow = part.tile().isNarrow();
            // An index of wide documents is always faster than their scan.
            if (!searchAlongIndex(isNarrow ? rest : queries, part)) {
                (isNarrow ? notIndexed : wideNotIndexed).add(part);
            }
        }
        scan(rest, notIndexed);
        List<Slots> allNarrow = new ArrayList<>(narrow);
        allNarrow.add(corpus.narrowRest());
        scan(queries.subList(0, scanned), allNarrow);
        scanWide(queries, wideNotIndexed);
        boolean usesIndexes = notIndexed.size() < allNarrow.size();
        count(queries.size(), usesIndexes ? rest.size() : 0);
    }

    /** Whether slots have an index, and queries were searched for. */
    private boolean searchAlongIndex(List<RunningQuery> queries, Slots slots) {
        requireWanted();
        IndexedSlots indexed = queries.isEmpty() ? null : corpus.indexed(slots);
        if (indexed == null) {
            return false;
        }
        queries.forEach(query -> indexScan.search(query, indexed));
        return true;
    }

    private void count(int queries, int indexed) {
        if (hasDocuments(true)) {
            corpus.gauges().add(SearchGauge.SCANNED_QUERIES, queries - indexed);
            corpus.gauges().add(SearchGauge.INDEXED_QUERIES, indexed);
        }
        if (hasDocuments(false)) {
            corpus.gauges().add(SearchGauge.WIDE_QUERIES, queries);
        }
    }

    private boolean hasDocuments(boolean isNarrow) {
        return tiles().stream()
                .anyMatch(tile -> tile.isNarrow() == isNarrow && tile.documents() > 0);
    }

    private static void scanWide(List<RunningQuery> queries, List<Slots> parts) {
        if (parts.stream().allMatch(part -> part.count() == 0)) {
            return;
        }
        for (List<RunningQuery> group : groups(queries, WideScan.MAX_QUERIES)) {
            WideScan scan = new WideScan(group);
            for (Slots part : parts) {
                requireWanted();
                scan.search(part);
            }
        }
    }

    /**
     * What can have an index, in no order. Documents may have come in the order of their sizes, and what the best of some sizes
     * have in common with a query says little about other sizes.
     */
    private List<Slots> shuffled() {
        List<Slots> parts = corpus.indexable();
        Collections.shuffle(parts, new Random(0));
        return parts;
    }

    private void scan(List<RunningQuery> queries, List<Slots> parts) {
        int numbers = documents().numbers().count();
        if (masks.length < numbers) {
            masks = new long[numbers];
        }
        int largest = 0;
        for (Slots part : parts) {
            largest = Math.max(largest, part.tile().largest());
        }
        for (List<RunningQuery> group : groups(queries, BitSlicedScan.MAX_QUERIES)) {
            BitSlicedScan scan = new BitSlicedScan(group, masks, largest);
            try {
                for (Slots part : parts) {
                    requireWanted();
                    scan.searchSample(part);
                }
                for (Slots part : parts) {
                    requireWanted();
                    scan.searchRest(part);
                }
            } finally {
                scan.close();
            }
        }
    }

    private static List<List<RunningQuery>> groups(List<RunningQuery> queries, int size) {
        List<List<RunningQuery>> groups = new ArrayList<>();
        for (int from = 0; from < queries.size(); from += size) {
            groups.add(queries.subList(from, Math.min(from + size, queries.size())));
        }
        return groups;
    }

    private void addZero(RunningQuery query) {
        if (query.wantsZero()) {
            long[] others = query.top().sortedIds();
            for (Documents tile : tiles()) {
                requireWanted();
                query.offerZero(tile, others);
            }
        }
    }

    /** Ends a search that nobody wants any more. */
    private static void requireWanted() {
        if (Thread.currentThread().isInterrupted()) {
            throw new CancellationException("the operator closed while a batch was searched for");
        }
    }

    private List<Documents> tiles() {
        List<Documents> tiles = new ArrayList<>(documents().tiles());
        tiles.add(documents().narrow());
        tiles.add(documents().wide());
        return tiles;
    }

    private Corpus documents() {
        return corpus.documents();
    }

    private static SearchedBatch result(List<RunningQuery> queries, long started) {
        long[][] ids = new long[queries.size()][];
        int[][] pairs = new int[queries.size()][];
        for (int query = 0; query < ids.length; query++) {
            TopMatches top = queries.get(query).top();
            ids[query] = new long[top.count()];
            pairs[query] = new int[top.count()];
            top.write(ids[query], pairs[query]);
        }
        return new SearchedBatch(ids, pairs, System.nanoTime() - started);
    }

    @Override
    public void close() {}
}
