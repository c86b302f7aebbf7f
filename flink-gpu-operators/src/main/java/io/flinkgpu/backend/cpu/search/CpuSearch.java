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
import io.flinkgpu.sets.Tile;

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
        this(plan, new Corpus(), SearchCost.MEASURED);
    }

    /**
     * @param documents none; the program's from here on
     */
    CpuSearch(SearchPlan plan, Corpus documents, SearchCost cost) throws BackendException {
        this.plan = plan;
        this.cost = cost;
        corpus = new CpuCorpus(plan.corpus(), documents);
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
        int scanned = cost.scanned(queries, documents());
        List<RunningQuery> rest = queries.subList(scanned, queries.size());
        List<Documents> narrow = new ArrayList<>(List.of(documents().narrow()));
        List<Documents> notIndexed = new ArrayList<>(narrow);
        List<Documents> wide = new ArrayList<>(List.of(documents().wide()));
        List<Documents> wideNotIndexed = new ArrayList<>(wide);
        for (Tile tile : shuffled()) {
            (tile.isNarrow() ? narrow : wide).add(tile);
            // An index of wide documents is always faster than their scan.
            if (!searchAlongIndex(tile.isNarrow() ? rest : queries, tile)) {
                (tile.isNarrow() ? notIndexed : wideNotIndexed).add(tile);
            }
        }
        scan(rest, notIndexed);
        scan(queries.subList(0, scanned), narrow);
        scanWide(queries, wideNotIndexed);
        boolean usesIndexes = notIndexed.size() < narrow.size();
        count(narrow, wide, queries.size(), usesIndexes ? rest.size() : 0);
    }

    /** Whether a tile has an index, and queries were searched for. */
    private boolean searchAlongIndex(List<RunningQuery> queries, Tile tile) {
        requireWanted();
        IndexedTile indexed = queries.isEmpty() ? null : corpus.indexed(tile);
        if (indexed == null) {
            return false;
        }
        queries.forEach(query -> indexScan.search(query, indexed));
        return true;
    }

    private void count(List<Documents> narrow, List<Documents> wide, int queries, int indexed) {
        if (narrow.stream().anyMatch(tile -> tile.documents() > 0)) {
            corpus.gauges().add(SearchGauge.SCANNED_QUERIES, queries - indexed);
            corpus.gauges().add(SearchGauge.INDEXED_QUERIES, indexed);
        }
        if (wide.stream().anyMatch(tile -> tile.documents() > 0)) {
            corpus.gauges().add(SearchGauge.WIDE_QUERIES, queries);
        }
    }

    private static void scanWide(List<RunningQuery> queries, List<Documents> tiles) {
        if (tiles.stream().allMatch(tile -> tile.documents() == 0)) {
            return;
        }
        for (List<RunningQuery> group : groups(queries, WideScan.MAX_QUERIES)) {
            WideScan scan = new WideScan(group);
            for (Documents tile : tiles) {
                requireWanted();
                scan.search(tile);
            }
        }
    }

    /**
     * Tiles in no order. Documents may have come in the order of their sizes, and what the best of some sizes
     * have in common with a query says little about other sizes.
     */
    private List<Tile> shuffled() {
        List<Tile> tiles = new ArrayList<>(documents().tiles());
        Collections.shuffle(tiles, new Random(0));
        return tiles;
    }

    private void scan(List<RunningQuery> queries, List<Documents> tiles) {
        int numbers = documents().numbers().count();
        if (masks.length < numbers) {
            masks = new long[numbers];
        }
        int largest = 0;
        for (Documents tile : tiles) {
            largest = Math.max(largest, tile.largest());
        }
        for (List<RunningQuery> group : groups(queries, BitSlicedScan.MAX_QUERIES)) {
            BitSlicedScan scan = new BitSlicedScan(group, masks, largest);
            try {
                for (Documents tile : tiles) {
                    requireWanted();
                    scan.searchSample(tile);
                }
                for (Documents tile : tiles) {
                    requireWanted();
                    scan.searchRest(tile);
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
        int[] starts = new int[queries.size() + 1];
        for (int query = 0; query < queries.size(); query++) {
            starts[query + 1] = starts[query] + queries.get(query).top().count();
        }
        long[] ids = new long[starts[queries.size()]];
        int[] common = new int[ids.length];
        int[] sizes = new int[ids.length];
        for (int query = 0; query < queries.size(); query++) {
            queries.get(query).top().write(ids, common, sizes, starts[query]);
        }
        return new SearchedBatch(starts, ids, common, sizes, System.nanoTime() - started);
    }

    @Override
    public void close() {}
}
