package io.flinkgpu.bench;

import io.flinkgpu.api.BackendChoice;
import io.flinkgpu.api.search.SetQuery;
import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.plan.SearchedBatch;
import io.flinkgpu.column.ColumnBatch;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** Speed of one program that one thread calls: by skew, number of documents and k, and between changes. */
final class SearchSpeed {

    private static final int SMALL_BATCH = 32;
    private static final int SMALL_ROUNDS = 4;
    private static final int WARM_UP_RUNS = 2;

    /** The JVM needs some tens of batches to compile what the host does for one, as a job soon has. */
    private static final long WARM_UP_NANOS = 2_000_000_000L;

    private final SearchLab lab;

    SearchSpeed(SearchLab lab) {
        this.lab = lab;
    }

    /** One corpus for each skew: whole batches, small ones, and where asked for k and changes. */
    void corpora() throws Exception {
        SearchOptions options = lab.options();
        for (double skew : options.skews()) {
            if (skew != options.skew() && !options.wants("skew")) {
                continue;
            }
            SetData data = lab.data(skew, options.corpus());
            for (BackendChoice backend : lab.backends()) {
                try (SearchRig rig = loaded("skew", backend, data, skew)) {
                    if (options.wants("skew")) {
                        batches("skew", backend, rig, data, skew);
                        smallBatches(backend, rig, data, skew);
                    }
                    if (skew == options.skew() && options.wants("k")) {
                        for (long k : options.ks()) {
                            byK(backend, rig, data, skew, Math.toIntExact(k));
                        }
                    }
                    if (skew == options.skew() && options.wants("updates")) {
                        new SearchUpdates(lab, backend, rig, data, skew).run();
                    }
                }
            }
        }
    }

    /** Whole batches while one corpus grows to each number of documents, which come in no order. */
    void documents() throws Exception {
        long[] sizes = Arrays.stream(lab.options().corpora()).sorted().toArray();
        for (double skew : lab.options().skews()) {
            for (BackendChoice backend : lab.backends()) {
                try (SearchRig rig = SearchRig.open(backend, sizes[sizes.length - 1])) {
                    SearchRig.Loaded loaded = SearchRig.Loaded.NOTHING;
                    long there = 0;
                    for (long size : sizes) {
                        SetData data = lab.data(skew, size).shuffled();
                        loaded = loaded.and(rig.load(data, there, 1));
                        there = size;
                        report("documents", backend, data, skew, rig, loaded);
                        batches("documents", backend, rig, data, skew);
                    }
                }
            }
        }
    }

    private SearchRig loaded(String axis, BackendChoice backend, SetData data, double skew)
            throws Exception {
        SearchRig rig = SearchRig.open(backend, data.documents());
        try {
            report(axis, backend, data, skew, rig, rig.load(data, 0, 1));
            return rig;
        } catch (Exception | Error e) {
            rig.close();
            throw e;
        }
    }

    /**
     * @param loaded all of the documents
     */
    private void report(
            String axis,
            BackendChoice backend,
            SetData data,
            double skew,
            SearchRig rig,
            SearchRig.Loaded loaded)
            throws IOException {
        String engine = SearchLab.engine(backend);
        Map<String, Long> at = SearchLab.at(data, skew);
        lab.add(axis + "-build", engine, at, "s applied", loaded.applySeconds());
        lab.add(axis + "-build", engine, at, "s drawn and applied", loaded.wallSeconds());
        lab.say(
                String.format(
                        Locale.ROOT,
                        "%s: %,d documents in %.2f s, %,.0f a second, %,d bytes taken",
                        engine,
                        data.documents(),
                        loaded.applySeconds(),
                        data.documents() / loaded.applySeconds(),
                        rig.bytes()));
    }

    private void batches(
            String axis, BackendChoice backend, SearchRig rig, SetData data, double skew)
            throws Exception {
        int k = Math.toIntExact(lab.options().ks()[0]);
        int count = lab.options().queriesFor(backend);
        Map<String, Long> at =
                SearchLab.at(SearchLab.at(SearchLab.at(data, skew), "k", k), "queries", count);
        batch(axis, backend, rig, data, skew, k, at);
    }

    private void byK(BackendChoice backend, SearchRig rig, SetData data, double skew, int k)
            throws Exception {
        batch("k", backend, rig, data, skew, k, SearchLab.at(SearchLab.at(data, skew), "k", k));
    }

    private void batch(
            String axis,
            BackendChoice backend,
            SearchRig rig,
            SetData data,
            double skew,
            int k,
            Map<String, Long> at)
            throws Exception {
        String engine = SearchLab.engine(backend);
        int count = lab.options().queriesFor(backend);
        List<SetQuery> queries = SearchLab.queries(data, skew, count, k);
        try (ColumnBatch batch = rig.queries(queries)) {
            try (SearchedBatch found = rig.search(batch)) {
                lab.check(
                        String.format(
                                Locale.ROOT,
                                "documents=%d skew=%s k=%d",
                                data.documents(),
                                skew,
                                k),
                        engine,
                        data,
                        skew,
                        k,
                        SearchAnswers.sums(queries, found));
            }
            List<SearchRig.Times> times = times(rig, batch, lab.options().repeats());
            add(axis, engine, at, times);
            lab.add(
                    axis,
                    engine,
                    at,
                    "ms/query",
                    times.stream().mapToDouble(it -> it.whole() / count).toArray());
        }
    }

    /** Times of the same batch again and again, after some that are not counted. */
    static List<SearchRig.Times> times(SearchRig rig, ColumnBatch batch, int repeats)
            throws BackendException {
        long start = System.nanoTime();
        for (int i = 0; i < WARM_UP_RUNS || System.nanoTime() - start < WARM_UP_NANOS; i++) {
            rig.time(batch);
        }
        List<SearchRig.Times> times = new ArrayList<>();
        for (int i = 0; i < repeats; i++) {
            times.add(rig.time(batch));
        }
        return times;
    }

    private void add(String axis, String engine, Map<String, Long> at, List<SearchRig.Times> times)
            throws IOException {
        lab.add(axis, engine, at, "ms", sorted(times, SearchRig.Times::whole));
        lab.add(axis, engine, at, "ms device", sorted(times, SearchRig.Times::device));
        lab.add(axis, engine, at, "ms beside the device", sorted(times, SearchRig.Times::beside));
        lab.add(axis, engine, at, "ms enqueuing", sorted(times, SearchRig.Times::enqueuing));
    }

    private static double[] sorted(
            List<SearchRig.Times> times, ToDoubleFunction<SearchRig.Times> part) {
        return times.stream().mapToDouble(part).sorted().toArray();
    }

    private void smallBatches(BackendChoice backend, SearchRig rig, SetData data, double skew)
            throws Exception {
        int k = Math.toIntExact(lab.options().ks()[0]);
        int count = lab.options().queriesFor(backend);
        List<SetQuery> queries = SearchLab.queries(data, skew, count, k);
        List<ColumnBatch> batches = new ArrayList<>();
        List<SearchRig.Times> times = new ArrayList<>();
        try {
            for (int from = 0; from + SMALL_BATCH <= count; from += SMALL_BATCH) {
                batches.add(rig.queries(queries.subList(from, from + SMALL_BATCH)));
            }
            long start = System.nanoTime();
            while (System.nanoTime() - start < WARM_UP_NANOS / 2) {
                for (ColumnBatch batch : batches) {
                    rig.time(batch);
                }
            }
            for (int round = 0; round < SMALL_ROUNDS; round++) {
                for (ColumnBatch batch : batches) {
                    times.add(rig.time(batch));
                }
            }
        } finally {
            batches.forEach(ColumnBatch::close);
        }
        Map<String, Long> at =
                SearchLab.at(
                        SearchLab.at(SearchLab.at(data, skew), "k", k), "queries", SMALL_BATCH);
        String engine = SearchLab.engine(backend);
        add("small", engine, at, times);
        double[] sorted = sorted(times, SearchRig.Times::whole);
        lab.add("small", engine, at, "ms p99", sorted[(int) (0.99 * (sorted.length - 1))]);
    }
}
