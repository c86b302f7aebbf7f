package io.flinkgpu;

import io.flinkgpu.api.BackendChoice;
import io.flinkgpu.api.BatchPolicy;
import io.flinkgpu.api.GpuOptions;
import io.flinkgpu.api.search.SearchResult;
import io.flinkgpu.api.search.SetChange;
import io.flinkgpu.api.search.SetMatches;
import io.flinkgpu.api.search.SetQuery;
import io.flinkgpu.api.search.Similarity;
import io.flinkgpu.oracle.Clusters;
import io.flinkgpu.oracle.Savepoints;
import io.flinkgpu.oracle.SetSearchOracle;

import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.functions.MapFunction;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.connector.source.util.ratelimit.RateLimiterStrategy;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.configuration.StateBackendOptions;
import org.apache.flink.configuration.StateRecoveryOptions;
import org.apache.flink.connector.datagen.source.DataGeneratorSource;
import org.apache.flink.connector.datagen.source.GeneratorFunction;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.flink.test.junit5.MiniClusterExtension;

import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Savepoints of searches of earlier commits, which are resources of this test, restore: with documents, and with
 * queries and changes that waited for the watermark, on another state backend if the format is that of all of
 * them, and with another number of shards. The answers of before and after are those of a search that was never
 * stopped.
 */
@Timeout(120)
class SavepointOfSearchITCase {

    @RegisterExtension static final MiniClusterExtension CLUSTER = Clusters.ofFourSlots();

    private static final int QUERIES = 600;
    private static final int CHANGES = 1_200;
    private static final int DOCUMENTS = 300;
    private static final int DISORDER_MILLIS = 20;

    /** Queries that are asked before a savepoint is taken. */
    private static final int ASKED = 300;

    private static final int PER_SECOND = 300;
    private static final int UNLIMITED = 1 << 30;
    private static final GpuOptions OPTIONS =
            GpuOptions.DEFAULT
                    .withBackend(BackendChoice.CPU)
                    .withBatchPolicy(new BatchPolicy(50, 1 << 20, Duration.ofMillis(5)));

    /** "query: id/common/size ..." */
    private static final Queue<String> ANSWERS = new ConcurrentLinkedQueue<>();

    private static final AtomicInteger SEEN = new AtomicInteger();

    @TempDir Path folder;

    @ParameterizedTest
    @CsvSource({
        "e6a5ec1, hashmap, hashmap, 1",
        "e6a5ec1, hashmap, rocksdb, 3",
        "e6a5ec1, hashmap, hashmap, 4",
        "e6a5ec1, rocksdb, rocksdb, 1",
        "e6a5ec1, rocksdb, rocksdb, 4"
    })
    void goesOn(String commit, String writtenBy, String backend, int shards) throws Exception {
        Path savepoint = Files.createDirectory(folder.resolve("savepoint"));
        Files.write(savepoint.resolve("_metadata"), resource(commit, writtenBy + ".savepoint"));
        ANSWERS.clear();
        start(backend, shards, UNLIMITED, savepoint).getJobExecutionResult().get();
        String before =
                new String(resource(commit, writtenBy + ".answers"), StandardCharsets.US_ASCII);
        assertThat(before.lines().count()).isBetween(ASKED / 2L, QUERIES - 1L);
        List<String> all = new ArrayList<>(ANSWERS);
        before.lines().forEach(all::add);
        all.sort(Comparator.naturalOrder());
        assertThat(all).isEqualTo(expected());
    }

    /**
     * Writes the resources into a folder, which is there and is named as the commit. To be run at the commit that
     * they are of. On rocksdb they are in its own format.
     */
    public static void main(String[] args) throws Exception {
        Path target = Path.of(args[0]);
        for (String backend : List.of("hashmap", "rocksdb")) {
            ANSWERS.clear();
            SEEN.set(0);
            JobClient job = start(backend, 2, PER_SECOND, null);
            while (SEEN.get() < ASKED) {
                Thread.sleep(5);
            }
            SavepointFormatType format =
                    backend.equals("rocksdb")
                            ? SavepointFormatType.NATIVE
                            : SavepointFormatType.CANONICAL;
            Path savepoint = Savepoints.stop(job, target, format);
            assertThat(ANSWERS.size())
                    .as("answers to queries, some of which wait")
                    .isLessThan(SEEN.get());
            // All state is in this one file, which is small.
            Files.move(savepoint.resolve("_metadata"), target.resolve(backend + ".savepoint"));
            Files.delete(savepoint);
            Files.write(target.resolve(backend + ".answers"), ANSWERS.stream().sorted().toList());
        }
    }

    private static byte[] resource(String commit, String file) throws IOException {
        String name = "/io/flinkgpu/search/" + commit + "/" + file;
        try (InputStream stream = SavepointOfSearchITCase.class.getResourceAsStream(name)) {
            return stream.readAllBytes();
        }
    }

    private static JobClient start(String backend, int shards, int perSecond, Path savepoint)
            throws Exception {
        Configuration config = new Configuration();
        config.set(PipelineOptions.GENERIC_TYPES, false);
        config.set(PipelineOptions.AUTO_GENERATE_UIDS, false);
        config.set(StateBackendOptions.STATE_BACKEND, backend);
        config.set(CheckpointingOptions.FS_SMALL_FILE_THRESHOLD, MemorySize.ofMebiBytes(1));
        if (savepoint != null) {
            config.set(StateRecoveryOptions.SAVEPOINT_PATH, savepoint.toUri().toString());
        }
        StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment(config);
        env.setParallelism(1);
        env.setMaxParallelism(16);
        GpuStreams.search(
                        timed(env, true, perSecond),
                        i -> query(i),
                        timed(env, false, 2L * perSecond),
                        i -> change(i),
                        OPTIONS)
                .similarity(Similarity.JACCARD)
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

    private static DataStream<Long> timed(
            StreamExecutionEnvironment env, boolean areQueries, double perSecond) {
        String name = areQueries ? "queries" : "changes";
        GeneratorFunction<Long, Long> generator = i -> i;
        return env.fromSource(
                        new DataGeneratorSource<>(
                                generator,
                                areQueries ? QUERIES : CHANGES,
                                RateLimiterStrategy.perSecond(perSecond),
                                Types.LONG),
                        WatermarkStrategy.noWatermarks(),
                        name)
                .uid(name)
                .map(new Counts(areQueries))
                .uid(name + "-counts")
                .assignTimestampsAndWatermarks(
                        WatermarkStrategy.<Long>forBoundedOutOfOrderness(
                                        Duration.ofMillis(DISORDER_MILLIS))
                                .withTimestampAssigner(
                                        (i, before) -> areQueries ? queryTime(i) : changeTime(i)))
                .uid(name + "-times");
    }

    /** Each query with what it finds after all changes that are not later. */
    private static List<String> expected() {
        SetSearchOracle oracle = new SetSearchOracle(Similarity.JACCARD);
        List<Long> changes =
                LongStream.range(0, CHANGES)
                        .boxed()
                        .sorted(Comparator.comparingLong(i -> changeTime(i)))
                        .collect(Collectors.toCollection(ArrayList::new));
        List<Long> queries =
                LongStream.range(0, QUERIES)
                        .boxed()
                        .sorted(Comparator.comparingLong(i -> queryTime(i)))
                        .toList();
        List<String> expected = new ArrayList<>();
        for (long query : queries) {
            while (!changes.isEmpty() && changeTime(changes.get(0)) <= queryTime(query)) {
                oracle.apply(change(changes.remove(0)));
            }
            expected.add(text(query, oracle.find(query(query))));
        }
        expected.sort(Comparator.naturalOrder());
        return expected;
    }

    private static String text(long query, SetMatches matches) {
        return IntStream.range(0, matches.count())
                .mapToObj(i -> matches.id(i) + "/" + matches.common(i) + "/" + matches.size(i))
                .collect(Collectors.joining(" ", "%03d: ".formatted(query), ""));
    }

    private static SetQuery query(long i) {
        SetQuery query = SetQuery.of(3, elements(i + 1_000_000)).withZero(i % 5 == 0);
        return i % 3 == 0 ? query.withAttributes(3, (int) (i / 3 % 4)) : query;
    }

    private static SetChange change(long i) {
        long id = id(i);
        return i % 11 == 3
                ? SetChange.delete(id)
                : SetChange.upsert(id, elements(i)).withAttributes((int) (i % 4));
    }

    private static long id(long change) {
        return change * 7 % DOCUMENTS - 20;
    }

    private static int[] elements(long i) {
        return IntStream.range(0, (int) (i % 12)).map(j -> mixed(i * 31 + j, 60)).toArray();
    }

    private static long queryTime(long query) {
        return query * 2 + mixed(query, DISORDER_MILLIS);
    }

    /** No two of a document are the same, as those with equal timestamps are applied as they arrive. */
    private static long changeTime(long change) {
        return change + mixed(id(change), DISORDER_MILLIS);
    }

    private static int mixed(long i, int bound) {
        long mixed = i * 0x9e3779b97f4a7c15L;
        return (int) Math.floorMod(mixed ^ mixed >>> 32, (long) bound);
    }

    /** Puts answers into a list of this process. No failure makes it see one twice. */
    private static final class Remembers implements MapFunction<SearchResult<Long>, Long> {

        private static final long serialVersionUID = 1L;

        @Override
        public Long map(SearchResult<Long> result) {
            ANSWERS.add(text(result.query(), result.matches()));
            return result.query();
        }
    }

    private record Counts(boolean areCounted) implements MapFunction<Long, Long> {

        @Override
        public Long map(Long number) {
            if (areCounted) {
                SEEN.incrementAndGet();
            }
            return number;
        }
    }
}
