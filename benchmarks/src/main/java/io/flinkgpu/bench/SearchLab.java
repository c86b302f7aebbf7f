package io.flinkgpu.bench;

import io.flinkgpu.api.BackendChoice;
import io.flinkgpu.api.search.SetQuery;
import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.TestRequests;
import io.flinkgpu.backend.cuda.CudaBackend;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What searches are measured with, and where figures go. One thread's. */
final class SearchLab {

    private static final int PERCENT = 100;

    private final SearchOptions options;
    private final KeysReport report;
    private final SetLengths lengths;
    private final List<BackendChoice> backends;
    private final Map<Double, SetElementDraws> draws = new HashMap<>();
    private final Map<String, long[]> answers = new HashMap<>();

    SearchLab(SearchOptions options, KeysReport report, List<BackendChoice> backends)
            throws IOException {
        this.options = options;
        this.report = report;
        this.backends = backends;
        lengths = SetLengths.read(options.lengths());
    }

    /** The GPU if there is one and it is wanted. */
    static Optional<CudaBackend> gpu(SearchOptions options) throws BackendException {
        if (!options.backends().isEmpty() && !options.backends().contains(BackendChoice.CUDA)) {
            return Optional.empty();
        }
        try {
            return Optional.of(CudaBackend.open(TestRequests.of(1L << 30)));
        } catch (BackendException e) {
            if (options.backends().isEmpty()) {
                return Optional.empty();
            }
            throw e;
        }
    }

    SearchOptions options() {
        return options;
    }

    List<BackendChoice> backends() {
        return backends;
    }

    /** Documents with elements of some skew. */
    SetData data(double skew, long documents) {
        return new SetData(
                lengths,
                draws.computeIfAbsent(skew, SetElementDraws::of),
                documents,
                options.sorted());
    }

    /** The first queries of those that belong to a skew. */
    static List<SetQuery> queries(SetData data, double skew, int count, int k) {
        SetData.Room room = new SetData.Room();
        List<SetQuery> queries = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            queries.add(SetQuery.of(k, data.query(kind(skew), i, room)));
        }
        return queries;
    }

    private static SetData.QueryKind kind(double skew) {
        return skew == 0 ? SetData.QueryKind.UNIFORM : SetData.QueryKind.DOCUMENT_LIKE;
    }

    /** What a backend is called in figures. */
    static String engine(BackendChoice backend) {
        return backend == BackendChoice.CUDA ? Engines.GPU : Engines.CPU;
    }

    /** Where a figure is. */
    static Map<String, Long> at(SetData data, double skew) {
        Map<String, Long> at = new LinkedHashMap<>();
        at.put("documents", data.documents());
        at.put("skewPercent", Math.round(skew * PERCENT));
        return at;
    }

    /** The same at one place more. */
    static Map<String, Long> at(Map<String, Long> at, String coordinate, long value) {
        Map<String, Long> more = new LinkedHashMap<>(at);
        more.put(coordinate, value);
        return more;
    }

    void add(String axis, String engine, Map<String, Long> at, String unit, double... values)
            throws IOException {
        report.add(Figure.of("search-" + axis, engine, at, unit, values));
    }

    void say(String line) {
        report.say(line);
    }

    /**
     * Compares sums of answers with those that another engine gave to the same queries, and with public ones.
     *
     * @param what the queries, documents included
     */
    void check(String what, String engine, SetData data, double skew, int k, long[] sums) {
        try {
            String known = SearchAnswers.known(data, skew, k, sums);
            if (known != null) {
                say(what + ", " + engine + ": " + known);
            }
        } catch (IllegalStateException e) {
            report.failed(e);
        }
        long[] before = answers.putIfAbsent(what, sums);
        if (before == null) {
            return;
        }
        int common = Math.min(before.length, sums.length);
        if (Arrays.equals(before, 0, common, sums, 0, common)) {
            say(what + ", " + engine + ": answers to " + common + " queries are equal");
            return;
        }
        report.failed(
                new IllegalStateException(
                        what + ", " + engine + ": answers are different from those before"));
    }

    /** An axis that failed; the others go on. */
    void failed(String axis, Throwable cause) {
        say("axis " + axis + " failed, the others go on");
        report.failed(cause);
    }
}
