package io.flinkgpu;

import io.flinkgpu.api.BackendChoice;
import io.flinkgpu.api.BatchPolicy;
import io.flinkgpu.api.GpuOptions;
import io.flinkgpu.api.RefusedRecord;
import io.flinkgpu.api.lookup.Bag;
import io.flinkgpu.api.lookup.BaseFile;
import io.flinkgpu.api.lookup.Combiner;
import io.flinkgpu.api.lookup.ElementType;
import io.flinkgpu.api.lookup.EmbeddingTable;
import io.flinkgpu.api.lookup.LookupBatch;
import io.flinkgpu.api.lookup.LookupBatchMapper;
import io.flinkgpu.api.lookup.LookupRequest;
import io.flinkgpu.api.lookup.LookupResult;
import io.flinkgpu.api.lookup.LookupResultTypeInfo;
import io.flinkgpu.api.lookup.LookupValues;
import io.flinkgpu.api.lookup.VectorChange;
import io.flinkgpu.testkit.Clusters;
import io.flinkgpu.testkit.EmbeddingOracle;
import io.flinkgpu.testkit.FailingJobs;
import io.flinkgpu.testkit.RandomLookups;
import io.flinkgpu.testkit.Savepoints;

import org.apache.flink.api.common.RuntimeExecutionMode;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.functions.MapFunction;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.ExecutionOptions;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.configuration.StateRecoveryOptions;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.apache.flink.util.ExceptionUtils;
import org.apache.flink.util.OutputTag;

import org.apache.arrow.vector.Float4Vector;
import org.apache.arrow.vector.IntVector;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

import static io.flinkgpu.testkit.Clusters.list;
import static io.flinkgpu.testkit.Clusters.numbers;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Lookups as jobs: any parallelism, failures, savepoints, new base files, and records that are no requests.
 *
 * <p>Covers: LookupStream, LookupOperators, ResidentResults.
 */
@Timeout(180)
class LookupITCase {

    @RegisterExtension static final MiniClusterExtension CLUSTER = Clusters.ofFourSlots();

    private static final int REQUESTS = 1_500;
    private static final int CHANGES = 3_000;
    private static final int DISORDER_MILLIS = 20;
    private static final int UNLIMITED = 1 << 30;
    private static final RandomLookups LOOKUPS = new RandomLookups(25);
    private static final List<VectorChange> CHANGE = LOOKUPS.changes(CHANGES);
    private static final List<LookupRequest> REQUEST = LOOKUPS.requests(REQUESTS);
    private static final List<VectorChange> BASE = new ArrayList<>();
    private static final List<EmbeddingTable> TABLES = new ArrayList<>();
    private static final GpuOptions OPTIONS =
            GpuOptions.DEFAULT.withBatchPolicy(new BatchPolicy(50, 1 << 20, Duration.ofMillis(5)));
    private static final OutputTag<RefusedRecord> REFUSED = new OutputTag<>("refused") {};
    private static final Queue<LookupResult<Long>> ROWS = new ConcurrentLinkedQueue<>();
    private static final Queue<RefusedRecord> PLACES = new ConcurrentLinkedQueue<>();
    private static final AtomicInteger SEEN = new AtomicInteger();

    @TempDir static Path directory;

    private String savepoint;

    /** The first table has no file. */
    @BeforeAll
    static void writeBaseFiles() throws IOException {
        for (EmbeddingTable table : LOOKUPS.tables()) {
            if (TABLES.isEmpty()) {
                TABLES.add(table);
                continue;
            }
            List<VectorChange> base = LOOKUPS.base(table);
            BASE.addAll(base);
            Path path = directory.resolve(table.name());
            TABLES.add(table.withBase(EmbeddingFiles.write(path, table, base.iterator(), 7)));
        }
        assertThat(TABLES).hasSizeGreaterThan(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4})
    void inEventTimeResultsAreOfTheInputAlone(int parallelism) throws Exception {
        StreamExecutionEnvironment env = environment(config(), 2);
        assertThat(sorted(lookup(env, UNLIMITED, i -> i).parallelism(parallelism).results()))
                .isEqualTo(expected());
    }

    /** Most vectors are read from files then, and changed ones go there. */
    @Test
    void withoutMemoryResultsAreTheSame() throws Exception {
        StreamExecutionEnvironment env = environment(config(), 2);
        assertThat(sorted(lookup(env, UNLIMITED, i -> i).hostBytes(1_000).results()))
                .isEqualTo(expected());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void batchesOfArrowVectorsHaveTheSameResults(int parallelism) throws Exception {
        StreamExecutionEnvironment env = environment(config(), 2);
        SingleOutputStreamOperator<LookupResult<Long>> results =
                lookup(env, UNLIMITED, i -> i)
                        .parallelism(parallelism)
                        .mapBatches(
                                LookupITCase::ofVectors, new LookupResultTypeInfo<>(Types.LONG));
        assertThat(sorted(results)).isEqualTo(expected());
    }

    private static void ofVectors(
            LookupBatch<Long> batch, LookupBatchMapper.Output<LookupResult<Long>> output) {
        Float4Vector values = (Float4Vector) batch.values().getDataVector();
        IntVector ends = (IntVector) batch.ends().getDataVector();
        for (int request = 0; request < batch.requests(); request++) {
            int first = batch.values().getElementStartIndex(request);
            float[] floats = new float[batch.values().getElementEndIndex(request) - first];
            for (int i = 0; i < floats.length; i++) {
                floats[i] = values.get(first + i);
            }
            int firstEnd = batch.ends().getElementStartIndex(request);
            int[] ints = new int[batch.ends().getElementEndIndex(request) - firstEnd];
            for (int i = 0; i < ints.length; i++) {
                ints[i] = ends.get(firstEnd + i);
            }
            output.collect(
                    request,
                    new LookupResult<>(batch.record(request), new LookupValues(floats, ints)));
        }
    }

    @ParameterizedTest
    @CsvSource({"1, false", "2, true", "4, true"})
    void aFailureChangesNoResult(int parallelism, boolean unaligned) throws Exception {
        FailsOnce.FAILED.set(false);
        Configuration config = FailsOnce.restarting(Duration.ofMillis(50), unaligned);
        config.addAll(config());
        StreamExecutionEnvironment env = environment(config, 2);
        assertThat(
                        sorted(
                                lookup(env, UNLIMITED, new FailsOnce<>(200, REQUESTS / 4))
                                        .parallelism(parallelism)
                                        .results()))
                .isEqualTo(expected());
        assertThat(FailsOnce.FAILED).isTrue();
    }

    @ParameterizedTest
    @CsvSource({"2, 4, 1, false", "1, 2, 4, true"})
    void goesOnFromASavepointWithAnotherParallelism(
            int first, int second, int third, boolean rebases) throws Exception {
        ROWS.clear();
        SEEN.set(0);
        savepoint = null;
        Path rebased = directory.resolve("rebased-" + first);
        Files.createDirectories(rebased);
        stop(start(first, 500, rebases ? rebased : null));
        stop(start(second, 500, rebases ? rebased : null));
        start(third, UNLIMITED, rebases ? rebased : null).getJobExecutionResult().get();
        List<LookupResult<Long>> rows = new ArrayList<>(ROWS);
        rows.sort(Comparator.comparing(LookupResult::record));
        assertThat(rows).isEqualTo(expected());
        try (Stream<Path> files = Files.list(rebased)) {
            assertThat(files.count()).isEqualTo(rebases ? 2L * TABLES.size() : 0);
        }
    }

    /** What a savepoint goes on with is not what it had. */
    @Test
    void aBaseFileThatIsNotTheStatesFailsTheJob() throws Exception {
        savepoint = null;
        SEEN.set(0);
        EmbeddingTable table = EmbeddingTable.of("other", 1, ElementType.F32);
        Path path = directory.resolve("changing");
        BaseFile file =
                EmbeddingFiles.write(
                        path, table, List.of(VectorChange.upsert("other", 1, 5f)).iterator(), 1);
        stop(startOne(table.withBase(file)));
        EmbeddingFiles.write(
                path, table, List.of(VectorChange.upsert("other", 1, 6f)).iterator(), 1);
        assertThat(failureOf(table.withBase(file)))
                .hasStackTraceContaining(
                        "a base file is what it was when the state was written: table=other, file="
                                + path)
                .hasStackTraceContaining("; put the old file back, or start without the state");
        assertThat(failureOf(EmbeddingTable.of("other", 2, ElementType.F32)))
                .hasStackTraceContaining(
                        "a table has the vectors that it had when the state was written: table=other,"
                                + " is=2 x F32, was=1 x F32; give another table another name");
    }

    private Throwable failureOf(EmbeddingTable table) {
        Configuration config = config();
        config.set(StateRecoveryOptions.SAVEPOINT_PATH, savepoint);
        StreamExecutionEnvironment env = environment(config, 1);
        return FailingJobs.failure(() -> lookupOne(env, table).results().uid("lookup"));
    }

    private JobClient startOne(EmbeddingTable table) throws Exception {
        StreamExecutionEnvironment env = environment(config(), 1);
        remember(lookupOne(env, table));
        return env.executeAsync();
    }

    private static LookupStream<Long, Long> lookupOne(
            StreamExecutionEnvironment env, EmbeddingTable table) {
        return GpuStreams.lookup(
                        numbers(env, "requests", REQUESTS, 500),
                        i -> LookupRequest.of(Bag.of("other", Combiner.SUM, i)),
                        numbers(env, "changes", 5, UNLIMITED),
                        i -> VectorChange.delete("other", i),
                        OPTIONS.withBackend(BackendChoice.CPU))
                .tables(table);
    }

    /** A request sees at least what came before the one before it, and no vector in parts. */
    @Test
    void inTheOrderOfArrivalVectorsAreWhole() throws Exception {
        StreamExecutionEnvironment env = environment(config(), 1);
        EmbeddingTable table = EmbeddingTable.of("t", 64, ElementType.F32);
        List<LookupResult<Long>> rows =
                list(
                        GpuStreams.lookup(
                                        numbers(env, "requests", REQUESTS, 1_500),
                                        i -> LookupRequest.of(Bag.of("t", Combiner.NONE, 1)),
                                        numbers(env, "changes", CHANGES, 3_000),
                                        i -> VectorChange.upsert("t", 1, filled(64, i)),
                                        OPTIONS)
                                .tables(table)
                                .results()
                                .uid("lookup"));
        assertThat(rows).hasSize(REQUESTS);
        float before = 0;
        for (LookupResult<Long> row : rows) {
            float[] vector = row.values().values();
            assertThat(vector).containsOnly(vector[0]);
            assertThat(vector[0]).isGreaterThanOrEqualTo(before);
            before = vector[0];
        }
        assertThat(before).isPositive();
    }

    private static float[] filled(int count, long value) {
        float[] values = new float[count];
        Arrays.fill(values, value);
        return values;
    }

    @Test
    void recordsThatAreNoRequestsArePutAside() throws Exception {
        PLACES.clear();
        StreamExecutionEnvironment env = environment(config(), 1);
        SingleOutputStreamOperator<LookupResult<Long>> results =
                GpuStreams.lookup(
                                numbers(env, "requests", 5, UNLIMITED),
                                LookupITCase::requestOrNot,
                                numbers(env, "changes", 4, UNLIMITED),
                                LookupITCase::changeOrNot,
                                OPTIONS)
                        .tables(EmbeddingTable.of("t", 2, ElementType.BF16))
                        .deadLetters(REFUSED)
                        .results()
                        .uid("lookup");
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
        assertThat(list(results)).extracting(LookupResult::record).containsExactly(0L);
        assertThat(PLACES)
                .extracting(place -> place.place() + " " + place.number() + ": " + place.reason())
                .containsExactlyInAnyOrder(
                        "requests 2: its getter failed: java.lang.IllegalStateException (hidden:"
                                + " String of length 6)",
                        "requests 3: its getter gave null",
                        "requests 4: there is no such table: tables=1; add it with tables(..), or"
                                + " correct the name",
                        "requests 5: a bag has as many weights as ids: table=t, ids=1, weights=2;"
                                + " leave weights out where all are 1",
                        "changes 2: there is no such table: tables=1; add it with tables(..), or"
                                + " correct the name",
                        "changes 3: a vector has the dimension of its table: table=t, dimension=1,"
                                + " needed=2; send whole vectors",
                        "changes 4: the elements of a vector have as many bytes as its table says:"
                                + " table=t, bytes=3, needed=4; send whole vectors");
    }

    private static LookupRequest requestOrNot(long i) {
        if (i == 1) {
            throw new IllegalStateException("secret");
        }
        Bag bag = Bag.of(i == 3 ? "secret" : "t", Combiner.SUM, 1);
        return i == 2 ? null : LookupRequest.of(i == 4 ? bag.withWeights(1, 2) : bag);
    }

    private static VectorChange changeOrNot(long i) {
        return switch ((int) i) {
            case 1 -> VectorChange.delete("secret", 1);
            case 2 -> VectorChange.upsert("t", 1, 1f);
            case 3 -> VectorChange.upsertElements("t", 1, new byte[3]);
            default -> VectorChange.upsert("t", 1, 1f, 2f);
        };
    }

    @Test
    void aRecordThatIsNoRequestFailsTheJobAndIsNotShown() {
        StreamExecutionEnvironment env = environment(config(), 1);
        Throwable failure =
                FailingJobs.failure(
                        () ->
                                GpuStreams.lookup(
                                                numbers(env, "requests", 1, UNLIMITED),
                                                i -> requestOrNot(3),
                                                numbers(env, "changes", 1, UNLIMITED),
                                                i -> VectorChange.delete("t", i),
                                                OPTIONS)
                                        .tables(EmbeddingTable.of("t", 2, ElementType.F32))
                                        .results()
                                        .uid("lookup"));
        assertThat(failure)
                .hasStackTraceContaining(
                        "a record cannot be looked up with: stream=requests, there is no such table:"
                                + " tables=1; add it with tables(..), or correct the name; or set"
                                + " deadLetters(tag), which puts such records aside");
        assertThat(ExceptionUtils.stringifyException(failure)).doesNotContain("secret");
    }

    @Test
    void batchExecutionIsRefused() {
        Configuration config = config();
        config.set(ExecutionOptions.RUNTIME_MODE, RuntimeExecutionMode.BATCH);
        StreamExecutionEnvironment env = environment(config, 1);
        assertThat(FailingJobs.failure(() -> lookup(env, UNLIMITED, i -> i).results()))
                .hasStackTraceContaining(
                        "a lookup needs streaming execution, as requests and changes take turns:"
                                + " execution.runtime-mode=BATCH; set it to STREAMING");
    }

    /** Each request with what it finds after all changes that are not later. */
    private static List<LookupResult<Long>> expected() {
        EmbeddingOracle oracle = new EmbeddingOracle(TABLES);
        BASE.forEach(vector -> oracle.put(vector.table(), vector.id(), vector.elements()));
        List<LookupResult<Long>> expected = new ArrayList<>();
        Integer[] changes = new Integer[CHANGES];
        Arrays.setAll(changes, i -> i);
        Arrays.sort(changes, Comparator.comparingLong(i -> changeTime(i)));
        Long[] requests = new Long[REQUESTS];
        Arrays.setAll(requests, i -> (long) i);
        Arrays.sort(requests, Comparator.comparingLong(LookupITCase::requestTime));
        int next = 0;
        for (Long request : requests) {
            for (; next < CHANGES && changeTime(changes[next]) <= requestTime(request); next++) {
                VectorChange change = CHANGE.get(changes[next]);
                if (change.isDelete()) {
                    oracle.remove(change.table(), change.id());
                } else {
                    oracle.put(change.table(), change.id(), change.elements());
                }
            }
            expected.add(new LookupResult<>(request, oracle.find(REQUEST.get(request.intValue()))));
        }
        expected.sort(Comparator.comparing(LookupResult::record));
        return expected;
    }

    private static long requestTime(long request) {
        return request * 2 + Math.floorMod(request * 0x9e3779b97f4a7c15L, DISORDER_MILLIS);
    }

    /** No two of a vector are the same, as those with equal timestamps are applied as they arrive. */
    private static long changeTime(long change) {
        return change + Math.floorMod(CHANGE.get((int) change).id() * 31, DISORDER_MILLIS);
    }

    private JobClient start(int parallelism, int perSecond, Path rebased) throws Exception {
        Configuration config = config();
        if (savepoint != null) {
            config.set(StateRecoveryOptions.SAVEPOINT_PATH, savepoint);
        }
        StreamExecutionEnvironment env = environment(config, 1);
        LookupStream<Long, Long> lookup = lookup(env, perSecond, i -> i).parallelism(parallelism);
        remember(rebased == null ? lookup : lookup.rebase(rebased.toString(), 1));
        return env.executeAsync();
    }

    private static void remember(LookupStream<Long, Long> lookup) {
        lookup.results()
                .uid("lookup")
                .map(new Remembers())
                .returns(Types.LONG)
                .uid("remembers")
                .sinkTo(new DiscardingSink<>())
                .uid("sink");
    }

    private void stop(JobClient job) throws Exception {
        int before = SEEN.get();
        while (SEEN.get() < before + 100) {
            Thread.sleep(5);
        }
        savepoint =
                Savepoints.stop(job, directory, SavepointFormatType.CANONICAL).toUri().toString();
        assertThat(SEEN.get()).as("results of " + REQUESTS).isLessThan(REQUESTS);
    }

    private static final class Remembers implements MapFunction<LookupResult<Long>, Long> {

        private static final long serialVersionUID = 1L;

        @Override
        public Long map(LookupResult<Long> result) {
            ROWS.add(result);
            SEEN.incrementAndGet();
            return result.record();
        }
    }

    private static LookupStream<Long, Long> lookup(
            StreamExecutionEnvironment env, int perSecond, MapFunction<Long, Long> between) {
        return GpuStreams.lookup(
                        timed(
                                numbers(env, "requests", REQUESTS, perSecond)
                                        .map(between)
                                        .uid("between"),
                                true),
                        i -> REQUEST.get(i.intValue()),
                        timed(numbers(env, "changes", CHANGES, 2L * perSecond), false),
                        i -> CHANGE.get(i.intValue()),
                        OPTIONS)
                .tables(TABLES.toArray(new EmbeddingTable[0]))
                .eventTime();
    }

    private static SingleOutputStreamOperator<Long> timed(
            SingleOutputStreamOperator<Long> numbers, boolean areRequests) {
        return numbers.assignTimestampsAndWatermarks(
                        WatermarkStrategy.<Long>forBoundedOutOfOrderness(
                                        Duration.ofMillis(DISORDER_MILLIS))
                                .withTimestampAssigner(
                                        (i, before) ->
                                                areRequests ? requestTime(i) : changeTime(i)))
                .uid(areRequests ? "request-times" : "change-times");
    }

    private static List<LookupResult<Long>> sorted(
            SingleOutputStreamOperator<LookupResult<Long>> results) throws Exception {
        List<LookupResult<Long>> rows = list(results.uid("lookup"));
        rows.sort(Comparator.comparing(LookupResult::record));
        return rows;
    }

    private static Configuration config() {
        Configuration config = new Configuration();
        config.set(PipelineOptions.GENERIC_TYPES, false);
        return config;
    }

    private static StreamExecutionEnvironment environment(Configuration config, int parallelism) {
        StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment(config);
        env.setParallelism(parallelism);
        return env;
    }
}
