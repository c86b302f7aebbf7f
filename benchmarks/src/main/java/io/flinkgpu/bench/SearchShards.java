package io.flinkgpu.bench;

import io.flinkgpu.api.BackendChoice;
import io.flinkgpu.api.search.SetMatches;
import io.flinkgpu.api.search.SetQuery;
import io.flinkgpu.api.search.Similarity;
import io.flinkgpu.backend.plan.SearchedBatch;
import io.flinkgpu.column.ColumnBatch;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Programs of the CPU backend that divide the documents, a thread each: all answer all queries, and the best
 * of their answers are the answers.
 */
final class SearchShards {

    private final SearchLab lab;

    SearchShards(SearchLab lab) {
        this.lab = lab;
    }

    void run() throws Exception {
        SearchOptions options = lab.options();
        for (double skew : options.skews()) {
            SetData data = lab.data(skew, options.corpus());
            for (long shards : options.shards()) {
                run(data, skew, Math.toIntExact(shards));
            }
        }
    }

    private void run(SetData data, double skew, int shards) throws Exception {
        int k = Math.toIntExact(lab.options().ks()[0]);
        int count = lab.options().queriesFor(BackendChoice.CUDA);
        List<SetQuery> queries = SearchLab.queries(data, skew, count, k);
        ExecutorService threads = Executors.newFixedThreadPool(shards);
        List<SearchRig> rigs = new ArrayList<>();
        List<ColumnBatch> batches = new ArrayList<>();
        try {
            for (int i = 0; i < shards; i++) {
                rigs.add(SearchRig.open(BackendChoice.CPU, data.documents() / shards + 1));
            }
            long start = System.nanoTime();
            each(threads, shards, shard -> rigs.get(shard).load(data, shard, shards));
            double seconds = (System.nanoTime() - start) / 1e9;
            for (SearchRig rig : rigs) {
                batches.add(rig.queries(queries));
            }
            Map<String, Long> at =
                    SearchLab.at(
                            SearchLab.at(SearchLab.at(data, skew), "queries", count),
                            "shards",
                            shards);
            lab.add("shards-build", Engines.ALL_CORES, at, "s drawn and applied", seconds);
            double[] millis = new double[lab.options().repeats()];
            for (int run = -1; run < millis.length; run++) {
                long from = System.nanoTime();
                List<SearchedBatch> parts =
                        each(threads, shards, shard -> rigs.get(shard).search(batches.get(shard)));
                List<Long> sums =
                        each(threads, count, query -> merged(queries.get(query), query, parts, k));
                double time = (System.nanoTime() - from) / 1e6;
                if (run >= 0) {
                    millis[run] = time;
                } else {
                    lab.check(
                            String.format(
                                    Locale.ROOT,
                                    "documents=%d skew=%s k=%d",
                                    data.documents(),
                                    skew,
                                    k),
                            Engines.ALL_CORES,
                            data,
                            skew,
                            k,
                            sums.stream().mapToLong(it -> it).toArray());
                }
            }
            lab.add("shards", Engines.ALL_CORES, at, "ms", millis);
        } finally {
            batches.forEach(ColumnBatch::close);
            rigs.forEach(SearchRig::close);
            threads.shutdownNow();
        }
    }

    /** Something for each number. */
    @FunctionalInterface
    private interface Each<R> {
        R of(int number) throws Exception;
    }

    private static <R> List<R> each(ExecutorService threads, int count, Each<R> what)
            throws Exception {
        List<Callable<R>> tasks = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int number = i;
            tasks.add(() -> what.of(number));
        }
        List<R> results = new ArrayList<>();
        for (Future<R> result : threads.invokeAll(tasks)) {
            results.add(result.get());
        }
        return results;
    }

    /** One document that a shard found. */
    private record Match(long key, long id, int common, int size) {}

    /** The sum of a query's answer. */
    private static long merged(SetQuery query, int row, List<SearchedBatch> parts, int k) {
        int querySize = query.elements().length;
        List<Match> all = new ArrayList<>();
        for (SearchedBatch part : parts) {
            SetMatches matches = part.matches(row, Similarity.MAX, querySize);
            for (int i = 0; i < matches.count(); i++) {
                int common = matches.common(i);
                int size = matches.size(i);
                all.add(
                        new Match(
                                SearchAnswers.key(common, querySize, size),
                                matches.id(i),
                                common,
                                size));
            }
        }
        Match[] sorted = all.toArray(new Match[0]);
        Arrays.sort(
                sorted,
                Comparator.comparingLong(Match::key).reversed().thenComparingLong(Match::id));
        long sum = 0;
        for (int i = 0; i < Math.min(k, sorted.length); i++) {
            sum +=
                    SearchAnswers.part(
                            sorted[i].common(), querySize, sorted[i].size(), sorted[i].id());
        }
        return sum;
    }
}
