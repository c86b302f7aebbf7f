package io.flinkgpu;

import io.flinkgpu.api.BackendChoice;
import io.flinkgpu.api.BatchPolicy;
import io.flinkgpu.api.GpuOptions;
import io.flinkgpu.api.search.SearchResult;
import io.flinkgpu.api.search.SetChange;
import io.flinkgpu.api.search.SetMatches;
import io.flinkgpu.api.search.SetQuery;
import io.flinkgpu.api.search.Similarity;
import io.flinkgpu.testkit.Clusters;
import io.flinkgpu.testkit.SavepointResources;
import io.flinkgpu.testkit.SetSearchOracle;

import org.apache.flink.api.common.functions.MapFunction;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.flink.test.junit5.MiniClusterExtension;

import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

import static io.flinkgpu.testkit.SavepointResources.DISORDER_MILLIS;
import static io.flinkgpu.testkit.SavepointResources.mixed;
import static io.flinkgpu.testkit.SavepointResources.numbers;
import static io.flinkgpu.testkit.SavepointResources.questionTime;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Savepoints of searches of earlier commits, which are resources of this test, restore: with documents, and with
 * queries and changes that waited for the watermark, on another state backend if the format is that of all of
 * them, and with another number of shards. The answers of before and after are those of a search that was never
 * stopped.
 *
 * <p>Covers: ShardOperator.
 */
@Timeout(120)
class SavepointOfSearchITCase {

    @RegisterExtension static final MiniClusterExtension CLUSTER = Clusters.ofFourSlots();

    private static final int QUERIES = 600;
    private static final int CHANGES = 1_200;
    private static final int DOCUMENTS = 300;

    /** Queries that are asked before a savepoint is taken. */
    private static final int ASKED = 300;

    private static final GpuOptions OPTIONS =
            GpuOptions.DEFAULT
                    .withBackend(BackendChoice.CPU)
                    .withBatchPolicy(new BatchPolicy(50, 1 << 20, Duration.ofMillis(5)));

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
        assertThat(
                        SavepointResources.goOn(
                                "/io/flinkgpu/search/" + commit,
                                writtenBy,
                                backend,
                                folder,
                                (env, perSecond) -> start(env, shards, perSecond)))
                .isEqualTo(expected());
    }

    /** {@link SavepointResources#write}. */
    public static void main(String[] args) throws Exception {
        SavepointResources.write(
                Path.of(args[0]), ASKED, (env, perSecond) -> start(env, 2, perSecond));
    }

    private static JobClient start(StreamExecutionEnvironment env, int shards, int perSecond)
            throws Exception {
        GpuStreams.search(
                        numbers(
                                env,
                                "queries",
                                true,
                                QUERIES,
                                perSecond,
                                (i, none) -> questionTime(i)),
                        i -> query(i),
                        numbers(
                                env,
                                "changes",
                                false,
                                CHANGES,
                                2.0 * perSecond,
                                (i, none) -> changeTime(i)),
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
                        .sorted(Comparator.comparingLong(i -> questionTime(i)))
                        .toList();
        List<String> expected = new ArrayList<>();
        for (long query : queries) {
            while (!changes.isEmpty() && changeTime(changes.get(0)) <= questionTime(query)) {
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

    /** No two of a document are the same, as those with equal timestamps are applied as they arrive. */
    private static long changeTime(long change) {
        return change + mixed(id(change), DISORDER_MILLIS);
    }

    private static final class Remembers implements MapFunction<SearchResult<Long>, Long> {

        private static final long serialVersionUID = 1L;

        @Override
        public Long map(SearchResult<Long> result) {
            SavepointResources.remember(text(result.query(), result.matches()));
            return result.query();
        }
    }
}
