package io.flinkgpu.bench;

import io.flinkgpu.api.BackendChoice;
import io.flinkgpu.api.search.SetQuery;
import io.flinkgpu.backend.plan.SearchedBatch;
import io.flinkgpu.column.ColumnBatch;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Lucene beside the CPU backend: one thread each, the same documents and queries, in turns. */
final class SearchLucene {

    private final SearchLab lab;

    SearchLucene(SearchLab lab) {
        this.lab = lab;
    }

    void run() throws Exception {
        for (double skew : lab.options().skews()) {
            SetData data = lab.data(skew, lab.options().corpus());
            Path folder = Files.createTempDirectory(lab.options().folder(), "lucene");
            try (LuceneSets lucene = LuceneSets.build(folder, data);
                    SearchRig rig = SearchRig.open(BackendChoice.CPU, data.documents())) {
                lab.say(lucene.toString());
                rig.load(data, 0, 1);
                beside(lucene, rig, data, skew);
            }
        }
    }

    private void beside(LuceneSets lucene, SearchRig rig, SetData data, double skew)
            throws Exception {
        int k = Math.toIntExact(lab.options().ks()[0]);
        int count = lab.options().queriesFor(BackendChoice.CPU);
        List<SetQuery> queries = SearchLab.queries(data, skew, count, k);
        String what =
                String.format(Locale.ROOT, "documents=%d skew=%s k=%d", data.documents(), skew, k);
        Map<String, Long> at =
                SearchLab.at(SearchLab.at(SearchLab.at(data, skew), "k", k), "queries", count);
        int repeats = lab.options().repeats();
        double[] ours = new double[repeats];
        double[] scorer = new double[repeats];
        double[] postings = new double[repeats];
        try (ColumnBatch batch = rig.queries(queries)) {
            for (int run = -1; run < repeats; run++) {
                double us = rig.time(batch).whole() / count;
                double booleans =
                        time(
                                lucene::scored,
                                what,
                                "Lucene's BooleanQuery",
                                data,
                                skew,
                                k,
                                queries,
                                run);
                double counted =
                        time(
                                lucene::counted,
                                what,
                                "Lucene's postings",
                                data,
                                skew,
                                k,
                                queries,
                                run);
                if (run >= 0) {
                    ours[run] = us;
                    scorer[run] = booleans;
                    postings[run] = counted;
                }
            }
            try (SearchedBatch found = rig.search(batch)) {
                lab.check(what, Engines.CPU, data, skew, k, SearchAnswers.sums(queries, found));
            }
        }
        lab.add("lucene", Engines.CPU, at, "ms/query", ours);
        lab.add("lucene", "lucene-boolean", at, "ms/query", scorer);
        lab.add("lucene", "lucene-postings", at, "ms/query", postings);
    }

    /** Answers one query. */
    @FunctionalInterface
    private interface Search {
        long sum(SetQuery query) throws Exception;
    }

    /** Answers all queries in turn, and compares the answers of the run that is not counted. */
    private double time(
            Search search,
            String what,
            String engine,
            SetData data,
            double skew,
            int k,
            List<SetQuery> queries,
            int run)
            throws Exception {
        long[] sums = new long[queries.size()];
        long start = System.nanoTime();
        for (int i = 0; i < sums.length; i++) {
            sums[i] = search.sum(queries.get(i));
        }
        double millis = (System.nanoTime() - start) / 1e6;
        if (run < 0) {
            lab.check(what, engine, data, skew, k, sums);
        }
        return millis / sums.length;
    }
}
