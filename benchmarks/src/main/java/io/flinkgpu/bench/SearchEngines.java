package io.flinkgpu.bench;

import io.flinkgpu.api.BackendChoice;
import io.flinkgpu.api.search.SetQuery;
import io.flinkgpu.backend.TestRequests;
import io.flinkgpu.backend.cuda.CudaBackend;
import io.flinkgpu.backend.cuda.search.MeasuredSearch;
import io.flinkgpu.backend.cuda.search.MeasuredSearch.Way;
import io.flinkgpu.backend.plan.SearchedBatch;
import io.flinkgpu.column.ColumnBatch;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What each way to count costs on the GPU, whatever a search would choose: a batch and one of 32 queries, and
 * at the end what {@code SearchCosts} has to say so that a search chooses well on this device.
 */
final class SearchEngines {

    private static final int SMALL_BATCH = 32;
    private static final int WARM_UP_RUNS = 3;

    /** A batch that was measured: its device time, and what that depends on. */
    private record Cost(
            Way way, double nanos, long postings, long tilesOfQueries, double elementsOfPasses) {}

    private final SearchLab lab;
    private final List<Cost> costs = new ArrayList<>();

    SearchEngines(SearchLab lab) {
        this.lab = lab;
    }

    void run() throws Exception {
        for (double skew : lab.options().skews()) {
            run(skew, lab.data(skew, lab.options().corpus()));
        }
        sayCosts();
    }

    private void run(double skew, SetData data) throws Exception {
        CudaBackend backend = CudaBackend.open(TestRequests.of(SearchRig.MEMORY_LIMIT_BYTES));
        MeasuredSearch search = new MeasuredSearch(backend, SearchRig.plan(data.documents()));
        try (SearchRig rig = new SearchRig(backend, search.program())) {
            SearchRig.Loaded loaded = rig.load(data, 0, 1);
            lab.say(
                    String.format(
                            Locale.ROOT,
                            "skew %s: loaded in %.2f s, of which %.2f s in the backend",
                            skew,
                            loaded.wallSeconds(),
                            loaded.applySeconds()));
            for (int count :
                    new int[] {lab.options().queriesFor(BackendChoice.CUDA), SMALL_BATCH}) {
                int k = Math.toIntExact(lab.options().ks()[0]);
                List<SetQuery> queries = SearchLab.queries(data, skew, count, k);
                for (Way way : Way.values()) {
                    search.count(way);
                    measure(skew, data, rig, search, way, queries);
                }
            }
        }
    }

    private void measure(
            double skew,
            SetData data,
            SearchRig rig,
            MeasuredSearch search,
            Way way,
            List<SetQuery> queries)
            throws Exception {
        double[] whole = new double[lab.options().repeats()];
        double[] device = new double[whole.length];
        try (ColumnBatch batch = rig.queries(queries)) {
            try (SearchedBatch found = rig.search(batch)) {
                lab.check(
                        String.format(
                                Locale.ROOT,
                                "documents=%d skew=%s queries=%d",
                                data.documents(),
                                skew,
                                queries.size()),
                        way.name(),
                        data,
                        skew,
                        Math.toIntExact(lab.options().ks()[0]),
                        SearchAnswers.sums(queries, found));
            }
            for (int i = -WARM_UP_RUNS; i < whole.length; i++) {
                long start = System.nanoTime();
                try (SearchedBatch found = rig.search(batch)) {
                    if (i >= 0) {
                        whole[i] = (System.nanoTime() - start) / 1e6;
                        device[i] = found.deviceNanos() / 1e6;
                    }
                }
            }
        }
        Map<String, Long> at = SearchLab.at(SearchLab.at(data, skew), "queries", queries.size());
        String engine = way.name().toLowerCase(Locale.ROOT);
        lab.add("engines", engine, at, "ms", whole);
        lab.add("engines", engine, at, "ms device", device);
        say(skew, search, way, queries, median(device), median(whole));
    }

    private static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }

    private void say(
            double skew,
            MeasuredSearch search,
            Way way,
            List<SetQuery> queries,
            double deviceMillis,
            double wholeMillis) {
        int passes = (queries.size() + SMALL_BATCH - 1) / SMALL_BATCH;
        long postings = search.postings(queries.stream().map(SetQuery::elements).toList());
        long tiles = (long) queries.size() * search.indexedTiles();
        Cost cost =
                new Cost(
                        way,
                        1e6 * deviceMillis,
                        postings,
                        tiles,
                        (double) passes * search.scannedElements());
        if (queries.size() > SMALL_BATCH) {
            costs.add(cost);
        }
        lab.say(
                String.format(
                        Locale.ROOT,
                        "skew %s, %d queries, %s: device %.3f ms, whole %.3f ms, %.3f ms a pass of 32;"
                                + " %.5f ns an element and pass, %.5f ns a posting, %.2f ns a tile and"
                                + " query",
                        skew,
                        queries.size(),
                        way,
                        deviceMillis,
                        wholeMillis,
                        deviceMillis / passes,
                        cost.nanos / cost.elementsOfPasses,
                        cost.nanos / postings,
                        cost.nanos / tiles));
    }

    /** Of the inverted index, a line through the batches with the fewest and the most postings. */
    private void sayCosts() {
        double element =
                costs.stream()
                        .filter(it -> it.way == Way.SCAN)
                        .mapToDouble(it -> it.nanos / it.elementsOfPasses)
                        .average()
                        .orElse(0);
        List<Cost> inverted =
                costs.stream()
                        .filter(it -> it.way == Way.INVERTED)
                        .sorted((a, b) -> Long.compare(a.postings, b.postings))
                        .toList();
        if (inverted.size() < 2) {
            return;
        }
        Cost few = inverted.get(0);
        Cost many = inverted.get(inverted.size() - 1);
        double posting = (many.nanos - few.nanos) / (many.postings - few.postings);
        double tile = (few.nanos - posting * few.postings) / few.tilesOfQueries;
        lab.say(
                String.format(
                        Locale.ROOT,
                        "measured: new SearchCosts(%.2f, %.6f, %.6f)",
                        tile,
                        posting,
                        element));
    }
}
