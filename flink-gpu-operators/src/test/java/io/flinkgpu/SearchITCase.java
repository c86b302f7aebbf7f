package io.flinkgpu;

import io.flinkgpu.api.BackendChoice;
import io.flinkgpu.api.BatchPolicy;
import io.flinkgpu.api.GpuOptions;
import io.flinkgpu.api.RefusedRecord;
import io.flinkgpu.api.ValueGetter;
import io.flinkgpu.api.search.SearchResult;
import io.flinkgpu.api.search.SetChange;
import io.flinkgpu.api.search.SetMatches;
import io.flinkgpu.api.search.SetQuery;
import io.flinkgpu.api.search.Similarity;
import io.flinkgpu.backend.BruteForceSearchBackend;
import io.flinkgpu.testkit.Clusters;
import io.flinkgpu.testkit.FailingJobs;
import io.flinkgpu.testkit.RandomSetOperations;
import io.flinkgpu.testkit.Savepoints;
import io.flinkgpu.testkit.SetSearchOracle;

import org.apache.flink.api.common.RuntimeExecutionMode;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.functions.MapFunction;
import org.apache.flink.api.common.functions.RichMapFunction;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.ExecutionOptions;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.configuration.StateBackendOptions;
import org.apache.flink.configuration.StateRecoveryOptions;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.runtime.state.KeyGroupRangeAssignment;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.apache.flink.util.ExceptionUtils;
import org.apache.flink.util.OutputTag;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

import static io.flinkgpu.testkit.Clusters.list;
import static io.flinkgpu.testkit.Clusters.numbers;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Searches as jobs: any number of shards, failures, savepoints, and records that are no sets.
 *
 * <p>Covers: SearchStream, SearchOperators.
 */
@Timeout(180)
class SearchITCase {

    @RegisterExtension static final MiniClusterExtension CLUSTER = Clusters.ofFourSlots();

    private static final int QUERIES = 1_500;
    private static final int CHANGES = 3_000;
    private static final int DISORDER_MILLIS = 20;
    private static final int MAX_PARALLELISM = 16;
    private static final int UNLIMITED = 1 << 30;
    private static final RandomSetOperations OPERATIONS = new RandomSetOperations(21);
    private static final List<SetChange> CHANGE = OPERATIONS.changes(CHANGES);
    private static final List<SetQuery> QUERY =
            IntStream.range(0, QUERIES).mapToObj(i -> OPERATIONS.query()).toList();
    private static final Similarity SIMILARITY = OPERATIONS.similarity();
    private static final GpuOptions OPTIONS =
            GpuOptions.DEFAULT.withBatchPolicy(new BatchPolicy(50, 1 << 20, Duration.ofMillis(5)));
    private static final OutputTag<RefusedRecord> REFUSED = new OutputTag<>("refused") {};
    private static final Queue<SearchResult<Long>> ROWS = new ConcurrentLinkedQueue<>();
    private static final Queue<RefusedRecord> PLACES = new ConcurrentLinkedQueue<>();
    private static final AtomicInteger SEEN = new AtomicInteger();

    @TempDir Path savepoints;

    private String savepoint;

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4})
    void inEventTimeAnswersAreOfTheInputAlone(int shards) throws Exception {
        StreamExecutionEnvironment env = environment(config("hashmap"), 2);
        assertThat(sorted(search(env, UNLIMITED).eventTime().parallelism(shards).results()))
                .isEqualTo(expected());
    }

    /** The whole of it, with the backend of the product. */
    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void theCpuBackendGivesTheSameAnswers(int shards) throws Exception {
        StreamExecutionEnvironment env = environment(config("hashmap"), 2);
        assertThat(
                        sorted(
                                GpuStreams.search(
                                                queries(env, UNLIMITED, i -> i),
                                                i -> QUERY.get(i.intValue()),
                                                changes(env, UNLIMITED),
                                                i -> CHANGE.get(i.intValue()),
                                                OPTIONS.withBackend(BackendChoice.CPU))
                                        .similarity(SIMILARITY)
                                        .eventTime()
                                        .parallelism(shards)
                                        .results()))
                .isEqualTo(expected());
    }

    @ParameterizedTest
    @CsvSource({
        "1, hashmap, false",
        "2, rocksdb, false",
        "4, hashmap, true",
        "3, rocksdb, true",
    })
    void aFailureChangesNoAnswer(int shards, String backend, boolean unaligned) throws Exception {
        FailsOnce.FAILED.set(false);
        Configuration config = FailsOnce.restarting(Duration.ofMillis(50), unaligned);
        config.addAll(config(backend));
        StreamExecutionEnvironment env = environment(config, 2);
        assertThat(
                        sorted(
                                search(env, UNLIMITED, new FailsOnce<>(200, QUERIES / 4))
                                        .eventTime()
                                        .parallelism(shards)
                                        .results()))
                .isEqualTo(expected());
        assertThat(FailsOnce.FAILED).isTrue();
    }

    @ParameterizedTest
    @CsvSource({"hashmap, 2, 4, 1", "rocksdb, 4, 1, 3", "rocksdb, 1, 2, 4"})
    void goesOnFromASavepointWithOtherShards(String backend, int first, int second, int third)
            throws Exception {
        ROWS.clear();
        SEEN.set(0);
        stop(start(backend, first, 500));
        stop(start(backend, second, 500));
        start(backend, third, UNLIMITED).getJobExecutionResult().get();
        List<SearchResult<Long>> rows = new ArrayList<>(ROWS);
        rows.sort(Comparator.comparing(SearchResult::query));
        assertThat(rows).isEqualTo(expected());
    }

    /** Some subtasks that read queries are done, and have no state, long before others. */
    @Test
    @Timeout(120)
    void savepointsAreTakenWhereSomeSubtasksHaveFinished() throws Exception {
        ROWS.clear();
        SEEN.set(0);
        ReadsOneHalfSlowly.CLOSED.set(0);
        savepoint = null;
        JobClient job = startHalfSlow();
        while (ReadsOneHalfSlowly.CLOSED.get() == 0) {
            Thread.sleep(5);
        }
        // Its task has finished soon after.
        Thread.sleep(200);
        savepoint =
                Savepoints.stop(job, savepoints, SavepointFormatType.CANONICAL).toUri().toString();
        assertThat(SEEN.get()).as("answers before the savepoint").isLessThan(200);
        startHalfSlow().getJobExecutionResult().get();
        assertThat(ROWS)
                .extracting(SearchResult::query)
                .containsExactlyInAnyOrderElementsOf(LongStream.range(0, 200).boxed().toList());
    }

    private JobClient startHalfSlow() throws Exception {
        Configuration config = config("hashmap");
        if (savepoint != null) {
            config.set(StateRecoveryOptions.SAVEPOINT_PATH, savepoint);
        }
        StreamExecutionEnvironment env = environment(config, 2);
        SearchStream.of(
                        env.fromSequence(0, 199)
                                .uid("queries")
                                .map(new ReadsOneHalfSlowly())
                                .uid("slow"),
                        i -> SetQuery.of(1, 7),
                        numbers(env, "changes", 10, UNLIMITED),
                        i -> SetChange.upsert(i, 7),
                        OPTIONS,
                        request -> new BruteForceSearchBackend())
                .results()
                .uid("search")
                .map(new Remembers())
                .returns(Types.LONG)
                .uid("remembers")
                .sinkTo(new DiscardingSink<>())
                .uid("sink");
        return env.executeAsync();
    }

    /** Of two hundred numbers. */
    private static final class ReadsOneHalfSlowly extends RichMapFunction<Long, Long> {

        private static final long serialVersionUID = 1L;
        private static final AtomicInteger CLOSED = new AtomicInteger();

        @Override
        public Long map(Long number) throws Exception {
            Thread.sleep(number < 100 ? 0 : 30);
            return number;
        }

        @Override
        public void close() {
            CLOSED.incrementAndGet();
        }
    }

    /** Of each shard a query sees the changes up to one, and the next query no fewer; none is answered twice. */
    @ParameterizedTest
    @CsvSource({"1, false", "2, false", "2, true"})
    void inTheOrderOfArrivalEachShardAnswersAfterTheChangesSoFar(int shards, boolean fails)
            throws Exception {
        FailsOnce.FAILED.set(!fails);
        Configuration config = FailsOnce.restarting(Duration.ofMillis(50), false);
        config.addAll(config("hashmap"));
        StreamExecutionEnvironment env = environment(config, 1);
        SingleOutputStreamOperator<SearchResult<Long>> results =
                SearchStream.of(
                                numbers(env, "queries", QUERIES, 1_500)
                                        .map(new FailsOnce<>(100, QUERIES / 2)),
                                i -> SetQuery.of(CHANGES, 7),
                                numbers(env, "changes", CHANGES, 2_000),
                                i -> SetChange.upsert(i, 7),
                                OPTIONS,
                                request -> new BruteForceSearchBackend())
                        .parallelism(shards)
                        .results()
                        .uid("search");
        List<SearchResult<Long>> rows = list(results);
        assertThat(rows)
                .extracting(SearchResult::query)
                .isEqualTo(LongStream.range(0, QUERIES).boxed().toList());
        long[] before = new long[shards];
        int most = 0;
        for (SearchResult<Long> row : rows) {
            long[] seen = new long[shards];
            for (int i = 0; i < row.matches().count(); i++) {
                seen[shardOf(row.matches().id(i), shards)]++;
            }
            for (int shard = 0; shard < shards; shard++) {
                assertThat(seen[shard]).isGreaterThanOrEqualTo(before[shard]);
                int of = shard;
                assertThat(ids(row.matches(), of, shards))
                        .isEqualTo(
                                LongStream.range(0, CHANGES)
                                        .filter(id -> shardOf(id, shards) == of)
                                        .limit(seen[of])
                                        .toArray());
            }
            before = seen;
            most = Math.max(most, row.matches().count());
        }
        assertThat(most).isPositive();
    }

    @Test
    void recordsThatAreNoSetsArePutAside() throws Exception {
        PLACES.clear();
        StreamExecutionEnvironment env = environment(config("hashmap"), 1);
        SingleOutputStreamOperator<SearchResult<Long>> results =
                search(env, 8, SearchITCase::queryOrNot, 6, SearchITCase::changeOrNot)
                        .deadLetters(REFUSED)
                        .results()
                        .uid("search");
        results.getSideOutput(REFUSED)
                .map(
                        place -> {
                            PLACES.add(place);
                            return 0;
                        })
                .returns(Types.INT)
                .uid("places")
                .sinkTo(new DiscardingSink<>())
                .uid("sink");
        assertThat(list(results)).extracting(SearchResult::query).containsExactly(0L, 4L, 5L);
        assertThat(PLACES)
                .extracting(place -> place.place() + " " + place.number() + ": " + place.reason())
                .containsExactlyInAnyOrder(
                        "queries 2: its getter failed: java.lang.IllegalStateException (hidden:"
                                + " String of length 6)",
                        "queries 3: its getter gave null",
                        "queries 4: a query asks for at least one document: k=0; ask for more",
                        "queries 7: minScore is a number: minScore=NaN; use 0 for all",
                        "queries 8: the set of a query has at most 1024 elements: elements=1025;"
                                + " leave some out, for example those that nearly every set has",
                        "changes 3: an element of the set of a document is a number from 0 to"
                                + " 4294967295: position=1; hash others to 32 bits, or number them",
                        "changes 5: the set of a document has at most 1024 elements: elements=1025;"
                                + " leave some out, for example those that nearly every set has");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "1 | its getter failed: java.lang.IllegalStateException (hidden: String of length 6)",
                "2 | its getter gave null",
                "3 | a query asks for at least one document: k=0; ask for more",
                "6 | minScore is a number: minScore=NaN; use 0 for all",
                "7 | the set of a query has at most 1024 elements: elements=1025; leave some out, for"
                        + " example those that nearly every set has",
            })
    void aRecordThatIsNoQueryFailsTheJob(long query, String reason) {
        StreamExecutionEnvironment env = environment(config("hashmap"), 1);
        SearchStream<Long, Long> search =
                search(env, 1, i -> queryOrNot(query), 6, i -> SetChange.delete(i));
        assertThat(FailingJobs.failure(() -> search.results().uid("search")))
                .hasStackTraceContaining(
                        "a record cannot be searched with: stream=queries, "
                                + reason
                                + "; or set deadLetters(tag), which puts such records aside")
                .extracting(SearchITCase::stackTrace)
                .asString()
                .doesNotContain("secret");
    }

    @ParameterizedTest
    @CsvSource({
        "2, 'an element of the set of a document is a number from 0 to 4294967295: position=1; hash"
                + " others to 32 bits, or number them'",
        "4, 'the set of a document has at most 1024 elements: elements=1025; leave some out, for"
                + " example those that nearly every set has'",
    })
    void aRecordThatIsNoChangeFailsTheJob(long change, String reason) {
        StreamExecutionEnvironment env = environment(config("hashmap"), 1);
        SearchStream<Long, Long> search =
                search(env, 6, i -> SetQuery.of(1), 1, i -> changeOrNot(change));
        assertThat(FailingJobs.failure(() -> search.results().uid("search")))
                .hasStackTraceContaining(
                        "a record cannot be searched with: stream=changes, "
                                + reason
                                + "; or set deadLetters(tag), which puts such records aside");
    }

    /** With and without a side output, which is for records and not for a lack of memory. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aCorpusThatDoesNotFitFailsTheJob(boolean hasDeadLetters) {
        StreamExecutionEnvironment env = environment(config("hashmap"), 1);
        SearchStream<Long, Long> search =
                GpuStreams.search(
                                numbers(env, "queries", 6, UNLIMITED),
                                i -> SetQuery.of(1),
                                numbers(env, "changes", 20_000, UNLIMITED),
                                i -> SetChange.upsert(i, 5, i.intValue()),
                                OPTIONS.withBackend(BackendChoice.CPU))
                        .corpusBytes(1 << 20);
        SearchStream<Long, Long> whole = hasDeadLetters ? search.deadLetters(REFUSED) : search;
        assertThat(FailingJobs.failure(() -> whole.results().uid("search")))
                .hasStackTraceContaining(
                        "a corpus has no room for its documents: name=documents, neededBytes=1")
                .hasStackTraceContaining(
                        "; raise corpusBytes, or the parallelism, which divides the documents");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void aMapperThatThrowsFailsTheJobAndShowsNoRecord(int shards) {
        StreamExecutionEnvironment env = environment(config("hashmap"), 1);
        SearchStream<Long, Long> search =
                search(env, 6, i -> SetQuery.of(1), 6, i -> SetChange.delete(i));
        assertThat(
                        FailingJobs.failure(
                                () ->
                                        search.parallelism(shards)
                                                .map(SearchITCase::throwing, Types.LONG)
                                                .uid("search")))
                .hasStackTraceContaining(
                        "a mapper must not throw: error=java.lang.IllegalStateException (hidden:"
                                + " String of length 6);")
                .extracting(SearchITCase::stackTrace)
                .asString()
                .doesNotContain("secret");
    }

    private static Long throwing(SearchResult<Long> result) {
        throw new IllegalStateException("secret");
    }

    @Test
    void eventTimeNeedsTimestamps() {
        StreamExecutionEnvironment env = environment(config("hashmap"), 1);
        SearchStream<Long, Long> search =
                search(env, 6, i -> SetQuery.of(1), 6, i -> SetChange.delete(i));
        assertThat(FailingJobs.failure(() -> search.eventTime().results().uid("search")))
                .hasStackTraceContaining(
                        "a search in event time needs records with timestamps: stream=")
                .hasStackTraceContaining(
                        "; call assignTimestampsAndWatermarks(..) on it, or leave out eventTime()");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void batchExecutionIsRefused(int shards) {
        Configuration config = config("hashmap");
        config.set(ExecutionOptions.RUNTIME_MODE, RuntimeExecutionMode.BATCH);
        StreamExecutionEnvironment env = environment(config, 1);
        assertThat(FailingJobs.failure(() -> search(env, UNLIMITED).parallelism(shards).results()))
                .hasStackTraceContaining(
                        "a search needs streaming execution, as queries and changes take turns:"
                                + " execution.runtime-mode=BATCH; set it to STREAMING");
    }

    private static SetQuery queryOrNot(long i) {
        if (i == 1) {
            throw new IllegalStateException("secret");
        }
        if (i == 7) {
            return SetQuery.of(1, IntStream.range(0, 1_025).toArray());
        }
        SetQuery query = i == 2 ? null : SetQuery.of((int) (i == 3 ? 0 : i + 1), 5);
        return i == 6 ? query.withMinScore(Double.NaN) : query;
    }

    private static SetChange changeOrNot(long i) {
        return i == 4
                ? SetChange.upsert(i, IntStream.range(0, 1_025).toArray())
                : SetChange.upsertUnsigned(i, 5, i == 2 ? -1 : 6);
    }

    private static String stackTrace(Throwable thrown) {
        return ExceptionUtils.stringifyException(thrown);
    }

    private static int shardOf(long id, int shards) {
        return KeyGroupRangeAssignment.assignKeyToParallelOperator(id, MAX_PARALLELISM, shards);
    }

    private static long[] ids(SetMatches matches, int shard, int shards) {
        return IntStream.range(0, matches.count())
                .mapToLong(matches::id)
                .filter(id -> shardOf(id, shards) == shard)
                .toArray();
    }

    /** Each query with what it finds after all changes that are not later. */
    private static List<SearchResult<Long>> expected() {
        SetSearchOracle oracle = new SetSearchOracle(SIMILARITY);
        List<SearchResult<Long>> expected = new ArrayList<>();
        Integer[] changes = new Integer[CHANGES];
        Arrays.setAll(changes, i -> i);
        Arrays.sort(changes, Comparator.comparingLong(i -> changeTime(i)));
        Long[] queries = new Long[QUERIES];
        Arrays.setAll(queries, i -> (long) i);
        Arrays.sort(queries, Comparator.comparingLong(SearchITCase::queryTime));
        int next = 0;
        for (Long query : queries) {
            for (; next < CHANGES && changeTime(changes[next]) <= queryTime(query); next++) {
                oracle.apply(CHANGE.get(changes[next]));
            }
            expected.add(new SearchResult<>(query, oracle.find(QUERY.get(query.intValue()))));
        }
        expected.sort(Comparator.comparing(SearchResult::query));
        return expected;
    }

    private static long queryTime(long query) {
        return query * 2 + Math.floorMod(query * 0x9e3779b97f4a7c15L, DISORDER_MILLIS);
    }

    /** No two of a document are the same, as those with equal timestamps are applied as they arrive. */
    private static long changeTime(long change) {
        return change + Math.floorMod(CHANGE.get((int) change).id() * 31, DISORDER_MILLIS);
    }

    private JobClient start(String backend, int shards, int perSecond) throws Exception {
        Configuration config = config(backend);
        if (savepoint != null) {
            config.set(StateRecoveryOptions.SAVEPOINT_PATH, savepoint);
        }
        StreamExecutionEnvironment env = environment(config, 1);
        search(env, perSecond)
                .eventTime()
                .parallelism(shards)
                .results()
                .uid("search")
                .map(new Remembers())
                .returns(Types.LONG)
                .uid("remembers")
                .sinkTo(new DiscardingSink<>())
                .uid("sink");
        return env.executeAsync();
    }

    private void stop(JobClient job) throws Exception {
        int before = SEEN.get();
        while (SEEN.get() < before + 100) {
            Thread.sleep(5);
        }
        savepoint =
                Savepoints.stop(job, savepoints, SavepointFormatType.CANONICAL).toUri().toString();
        assertThat(SEEN.get()).as("answers of " + QUERIES).isLessThan(QUERIES);
    }

    private static final class Remembers implements MapFunction<SearchResult<Long>, Long> {

        private static final long serialVersionUID = 1L;

        @Override
        public Long map(SearchResult<Long> result) {
            ROWS.add(result);
            SEEN.incrementAndGet();
            return result.query();
        }
    }

    private static SearchStream<Long, Long> search(
            StreamExecutionEnvironment env,
            int queries,
            ValueGetter<Long, SetQuery> query,
            int changes,
            ValueGetter<Long, SetChange> change) {
        return SearchStream.of(
                numbers(env, "queries", queries, UNLIMITED),
                query,
                numbers(env, "changes", changes, UNLIMITED),
                change,
                OPTIONS,
                request -> new BruteForceSearchBackend());
    }

    private static SearchStream<Long, Long> search(StreamExecutionEnvironment env, int perSecond) {
        return search(env, perSecond, i -> i);
    }

    private static SearchStream<Long, Long> search(
            StreamExecutionEnvironment env, int perSecond, MapFunction<Long, Long> between) {
        return SearchStream.of(
                        queries(env, perSecond, between),
                        i -> QUERY.get(i.intValue()),
                        changes(env, perSecond),
                        i -> CHANGE.get(i.intValue()),
                        OPTIONS,
                        request -> new BruteForceSearchBackend())
                .similarity(SIMILARITY);
    }

    private static DataStream<Long> queries(
            StreamExecutionEnvironment env, int perSecond, MapFunction<Long, Long> between) {
        return timed(numbers(env, "queries", QUERIES, perSecond).map(between).uid("between"), true);
    }

    private static DataStream<Long> changes(StreamExecutionEnvironment env, int perSecond) {
        return timed(numbers(env, "changes", CHANGES, 2L * perSecond), false);
    }

    private static SingleOutputStreamOperator<Long> timed(
            SingleOutputStreamOperator<Long> numbers, boolean areQueries) {
        return numbers.assignTimestampsAndWatermarks(
                        WatermarkStrategy.<Long>forBoundedOutOfOrderness(
                                        Duration.ofMillis(DISORDER_MILLIS))
                                .withTimestampAssigner(
                                        (i, before) -> areQueries ? queryTime(i) : changeTime(i)))
                .uid(areQueries ? "query-times" : "change-times");
    }

    private static List<SearchResult<Long>> sorted(
            SingleOutputStreamOperator<SearchResult<Long>> results) throws Exception {
        List<SearchResult<Long>> rows = list(results.uid("search"));
        rows.sort(Comparator.comparing(SearchResult::query));
        return rows;
    }

    private static Configuration config(String backend) {
        Configuration config = new Configuration();
        config.set(PipelineOptions.GENERIC_TYPES, false);
        config.set(StateBackendOptions.STATE_BACKEND, backend);
        return config;
    }

    private static StreamExecutionEnvironment environment(Configuration config, int parallelism) {
        StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment(config);
        env.setParallelism(parallelism);
        env.setMaxParallelism(MAX_PARALLELISM);
        return env;
    }
}
