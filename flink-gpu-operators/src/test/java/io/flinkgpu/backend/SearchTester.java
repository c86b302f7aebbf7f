package io.flinkgpu.backend;

import io.flinkgpu.api.search.SetChange;
import io.flinkgpu.api.search.SetMatches;
import io.flinkgpu.api.search.SetQuery;
import io.flinkgpu.api.search.Similarity;
import io.flinkgpu.backend.plan.CorpusPlan;
import io.flinkgpu.backend.plan.SearchPlan;
import io.flinkgpu.backend.plan.SearchedBatch;
import io.flinkgpu.column.ColumnBatch;
import io.flinkgpu.testkit.RandomSetOperations;
import io.flinkgpu.testkit.SetSearchOracle;
import io.flinkgpu.testkit.VersionedQuery;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

import static org.assertj.core.api.Assertions.assertThat;

/** Searches a corpus on a backend and compares what it finds with the oracle. */
final class SearchTester implements AutoCloseable {

    static final long CORPUS_BYTES = 256L << 20;

    private static final int MOST_AT_ONCE = 3;

    private final Backend backend;
    private final SearchPlan plan;
    private final CompiledProgram<SearchedBatch> program;
    private final Resident corpus;
    private final SetSearchOracle oracle;

    private long firstVersion;

    /**
     * @param backend stays the caller's
     */
    SearchTester(Backend backend, Similarity similarity) throws BackendException {
        this(backend, similarity, CORPUS_BYTES);
    }

    SearchTester(Backend backend, Similarity similarity, long corpusBytes) throws BackendException {
        this.backend = backend;
        plan = new SearchPlan(new CorpusPlan("small", corpusBytes), similarity);
        program = backend.compile(plan);
        assertThat(program.residents()).hasSize(1);
        corpus = program.residents().get(0);
        oracle = new SetSearchOracle(similarity);
    }

    /** Fills a corpus by random operations, some of them after queries, and searches it. */
    static void checkRandom(Backend backend, long seed, int rounds) throws BackendException {
        RandomSetOperations operations = new RandomSetOperations(seed);
        try (SearchTester tester = new SearchTester(backend, operations.similarity())) {
            tester.checkRandom(operations, rounds);
        }
    }

    private void checkRandom(RandomSetOperations operations, int rounds) throws BackendException {
        Random random = operations.random();
        for (int round = 0; round < rounds; round++) {
            int changes = operations.usualChanges() >> (round == 0 ? 0 : random.nextInt(8));
            apply(operations.changes(changes));
            if (random.nextBoolean()) {
                apply(operations.changes(random.nextInt(50)));
            }
            List<List<VersionedQuery>> batches = new ArrayList<>();
            long first = firstVersion;
            for (int batch = random.nextInt(2 * MOST_AT_ONCE); batch >= 0; batch--) {
                List<VersionedQuery> queries =
                        operations.queries(batchSize(random), first, oracle.version());
                batches.add(queries);
                first = queries.get(queries.size() - 1).version();
            }
            check(operations + ", round=" + round, batches, random);
            if (corpus.changesBesideBatches()) {
                checkBesideChanges(
                        operations, "%s, beside changes, round=%d".formatted(operations, round));
            }
        }
    }

    /** Has a batch answered that changes are applied beside, as many as may be. */
    private void checkBesideChanges(RandomSetOperations operations, String what)
            throws BackendException {
        List<VersionedQuery> queries =
                operations.queries(batchSize(operations.random()), firstVersion, oracle.version());
        List<SetMatches> expected = expected(queries);
        try (ColumnBatch batch = SearchRows.queries(backend.allocator(), queries)) {
            Submission<SearchedBatch> submission = program.submit(batch);
            for (int i = 0; i < Resident.BATCHES_BESIDE; i++) {
                apply(operations.changes(operations.random().nextInt(operations.usualChanges())));
            }
            compare(what, queries, expected, matches(submission, batch, queries));
        }
    }

    private static int batchSize(Random random) {
        return switch (random.nextInt(6)) {
            case 0 -> 1;
            case 1 -> 31 + random.nextInt(3);
            case 2 -> 63 + random.nextInt(3);
            case 3 -> random.nextInt(8) == 0 ? 256 : 1 + random.nextInt(16);
            default -> 1 + random.nextInt(40);
        };
    }

    /** Changes the corpus; earlier versions than the present one are asked for no more. */
    void apply(List<SetChange> changes) throws BackendException {
        firstVersion = oracle.version();
        oracle.forget(firstVersion);
        try (ColumnBatch batch = SearchRows.changes(backend.allocator(), changes)) {
            corpus.apply(batch);
        }
        changes.forEach(oracle::apply);
    }

    void apply(SetChange... changes) throws BackendException {
        apply(List.of(changes));
    }

    /** The least version that a query may see. */
    long firstVersion() {
        return firstVersion;
    }

    /** The greatest version that a query may see. */
    long version() {
        return oracle.version();
    }

    Resident corpus() {
        return corpus;
    }

    /** What queries find that see all changes; the oracle, too. */
    List<String> find(SetQuery... queries) throws BackendException {
        return find(
                Arrays.stream(queries).map(q -> new VersionedQuery(q, oracle.version())).toList());
    }

    /** What queries find, as a batch of their own; the oracle, too. */
    List<String> find(List<VersionedQuery> queries) throws BackendException {
        try (ColumnBatch batch = SearchRows.queries(backend.allocator(), queries)) {
            List<SetMatches> found = matches(program.submit(batch), batch, queries);
            compare("by hand", queries, found);
            return found.stream().map(SetMatches::toString).toList();
        }
    }

    /** Has batches answered, several of them under way at once, each as a whole or as two parts. */
    void check(String what, List<List<VersionedQuery>> batches, Random random)
            throws BackendException {
        Deque<Flight> flights = new ArrayDeque<>();
        try {
            for (List<VersionedQuery> queries : batches) {
                int cut = random.nextInt(4) == 0 ? random.nextInt(queries.size()) : 0;
                int rest = queries.size() - cut;
                ColumnBatch whole = SearchRows.queries(backend.allocator(), queries);
                if (cut == 0) {
                    submit(what, whole, queries, flights);
                    continue;
                }
                try (whole) {
                    submit(what, whole.slice(0, cut), queries.subList(0, cut), flights);
                    List<VersionedQuery> others = queries.subList(cut, queries.size());
                    submit(what, whole.slice(cut, rest), others, flights);
                }
            }
            while (!flights.isEmpty()) {
                land(what, flights.remove());
            }
        } finally {
            flights.forEach(flight -> flight.batch.close());
        }
    }

    private void submit(
            String what, ColumnBatch batch, List<VersionedQuery> queries, Deque<Flight> flights)
            throws BackendException {
        flights.add(new Flight(batch, program.submit(batch), queries));
        if (flights.size() == MOST_AT_ONCE) {
            land(what, flights.remove());
        }
    }

    private void land(String what, Flight flight) throws BackendException {
        try (ColumnBatch batch = flight.batch) {
            compare(what, flight.queries, matches(flight.submission, batch, flight.queries));
        }
    }

    private List<SetMatches> expected(List<VersionedQuery> queries) {
        Map<VersionedQuery, SetMatches> answers = new HashMap<>();
        return queries.stream()
                .map(v -> answers.computeIfAbsent(v, q -> oracle.find(q.query(), q.version())))
                .toList();
    }

    private void compare(String what, List<VersionedQuery> queries, List<SetMatches> found) {
        compare(what, queries, expected(queries), found);
    }

    private void compare(
            String what,
            List<VersionedQuery> queries,
            List<SetMatches> allExpected,
            List<SetMatches> found) {
        for (int row = 0; row < queries.size(); row++) {
            VersionedQuery versioned = queries.get(row);
            SetQuery query = versioned.query();
            SetMatches expected = allExpected.get(row);
            if (!expected.equals(found.get(row))) {
                throw new AssertionError(
                        ("%s, similarity=%s, row=%d of %d, version=%d of %d, k=%d, minScore=%s,"
                                        + " zero=%s, mask=%x, querySize=%d: %s")
                                .formatted(
                                        what,
                                        plan.similarity(),
                                        row,
                                        queries.size(),
                                        versioned.version(),
                                        oracle.version(),
                                        query.k(),
                                        query.minScore(),
                                        query.includesZero(),
                                        query.attributeMask(),
                                        query.elements().length,
                                        difference(expected, found.get(row))));
            }
        }
    }

    /** The first place where two answers differ, {@code id:common:size}. */
    private static String difference(SetMatches expected, SetMatches found) {
        int rank = 0;
        while (place(expected, rank).equals(place(found, rank))) {
            rank++;
        }
        return "rank=%d, expected=%s of %d, found=%s of %d"
                .formatted(
                        rank,
                        place(expected, rank),
                        expected.count(),
                        place(found, rank),
                        found.count());
    }

    private static String place(SetMatches matches, int rank) {
        return rank >= matches.count()
                ? "none"
                : matches.id(rank) + ":" + matches.common(rank) + ":" + matches.size(rank);
    }

    private List<SetMatches> matches(
            Submission<SearchedBatch> submission, ColumnBatch batch, List<VersionedQuery> queries)
            throws BackendException {
        try (SearchedBatch result = submission.await()) {
            assertThat(plan.defectOf(result, batch)).isNull();
            List<SetMatches> matches = new ArrayList<>();
            for (int row = 0; row < queries.size(); row++) {
                int querySize = queries.get(row).query().elements().length;
                matches.add(result.matches(row, plan.similarity(), querySize));
            }
            return matches;
        }
    }

    @Override
    public void close() {
        program.close();
    }

    private record Flight(
            ColumnBatch batch,
            Submission<SearchedBatch> submission,
            List<VersionedQuery> queries) {}
}
