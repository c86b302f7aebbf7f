package io.flinkgpu;

import io.flinkgpu.api.BackendChoice;
import io.flinkgpu.api.GpuOptions;
import io.flinkgpu.api.RefusedRecord;
import io.flinkgpu.api.search.SearchResult;
import io.flinkgpu.api.search.SetChange;
import io.flinkgpu.api.search.SetQuery;
import io.flinkgpu.api.search.Similarity;

import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.flink.streaming.api.graph.StreamNode;
import org.apache.flink.util.OutputTag;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * What a search is built of, and what cannot be built.
 *
 * <p>Covers: SearchStream.
 */
class SearchStreamTest {

    private static final OutputTag<RefusedRecord> TAG = new OutputTag<>("refused") {};

    private final StreamExecutionEnvironment env = environment();
    private final DataStream<Long> numbers = env.fromData(1L).uid("numbers");
    private final SearchStream<Long, Long> search = search(GpuOptions.DEFAULT);

    private static StreamExecutionEnvironment environment() {
        Configuration config = new Configuration();
        config.set(PipelineOptions.AUTO_GENERATE_UIDS, false);
        StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment(config);
        env.setParallelism(3);
        return env;
    }

    private SearchStream<Long, Long> search(GpuOptions options) {
        return GpuStreams.search(
                numbers, i -> SetQuery.of(1, 2), numbers, i -> SetChange.delete(i), options);
    }

    @Test
    void missingArgumentsAreNamed() {
        GpuOptions options = GpuOptions.DEFAULT;
        Map<ThrowingCallable, String> calls = new LinkedHashMap<>();
        calls.put(
                () ->
                        GpuStreams.search(
                                null, i -> null, numbers, i -> SetChange.delete(i), options),
                "queries");
        calls.put(
                () -> GpuStreams.search(numbers, null, numbers, i -> SetChange.delete(i), options),
                "query");
        calls.put(
                () ->
                        GpuStreams.search(
                                numbers,
                                i -> SetQuery.of(1),
                                (DataStream<Long>) null,
                                i -> null,
                                options),
                "changes");
        calls.put(
                () -> GpuStreams.search(numbers, i -> SetQuery.of(1), numbers, null, options),
                "change");
        calls.put(() -> search(null), "options");
        calls.put(() -> search.similarity(null), "similarity");
        calls.put(() -> search.deadLetters(null), "tag");
        calls.put(() -> search.map(null, Types.LONG), "mapper");
        calls.put(() -> search.map(SearchResult::query, null), "type");
        BuilderArgumentsTest.assertNamed(calls);
    }

    @Test
    void numbersThatCannotBeAreRefused() {
        assertThatThrownBy(() -> search.parallelism(0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("documents are in at least one shard: parallelism=0; use 1 for one");
        assertThatThrownBy(() -> search.corpusBytes(1_000))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a corpus has at least 1 MiB: corpusBytes=1000; give it more");
        assertThatThrownBy(
                        () -> search(GpuOptions.DEFAULT.withMemoryLimitBytes(16 << 20)).results())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(
                        "the memory limit must hold the batches on their way and their results:"
                                + " memoryLimitBytes=16777216, needed=");
    }

    @Test
    void functionsHaveToBeSerializable() {
        Object notSerializable = new Object();
        assertThatThrownBy(
                        () ->
                                GpuStreams.search(
                                        numbers,
                                        i -> SetQuery.of(notSerializable.hashCode()),
                                        numbers,
                                        i -> SetChange.delete(i),
                                        GpuOptions.DEFAULT))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(
                        "functions travel in the job graph, so they must be serializable: query=");
    }

    /** Each operator has a uid, as the job needs them all, and is as parallel as what it is chained to. */
    @Test
    void oneUidNamesAllOperators() {
        search.deadLetters(TAG)
                .results()
                .uid("search")
                .name("search")
                .sinkTo(new DiscardingSink<>())
                .uid("sink");
        assertThat(nodes())
                .containsExactlyInAnyOrder(
                        "numbers null 1",
                        "search-queries search-queries 1",
                        "search-changes search-changes 1",
                        "search search 3",
                        "search-merge search-merge 3",
                        "search-dead-letters gpu-search-dead-letters 3",
                        "sink null 3");
    }

    @Test
    void oneShardMergesNothing() {
        search.parallelism(1)
                .map(SearchResult::query, Types.LONG)
                .uid("search")
                .sinkTo(new DiscardingSink<>())
                .uid("sink");
        assertThat(nodes())
                .containsExactlyInAnyOrder(
                        "numbers null 1",
                        "search-queries gpu-search-queries 1",
                        "search-changes gpu-search-changes 1",
                        "search gpu-search 1",
                        "sink null 3");
    }

    @Test
    void asyncStateIsRefused() {
        SingleOutputStreamOperator<?> results = search.results();
        assertThatThrownBy(results::enableAsyncState)
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessage(
                        "a search accesses state in batches, not asynchronously; leave out"
                                + " enableAsyncState()");
    }

    @Test
    void explainSaysWhatIsSearchedAndWhere() {
        assertThat(search.explain())
                .isEqualTo(
                        """
                        set search: similarity=MAX
                        order: arrival
                        shards: parallelism=of the job, answers are merged
                        runs on: a GPU where one opens, else the CPU
                        counts by: bit planes or postings, what costs less for the queries of a batch
                        documents: corpusBytes=268435456 for each shard
                        """);
        assertThat(
                        search(GpuOptions.DEFAULT.withBackend(BackendChoice.CPU))
                                .similarity(Similarity.DICE)
                                .eventTime()
                                .parallelism(1)
                                .corpusBytes(1 << 20)
                                .explain())
                .isEqualTo(
                        """
                        set search: similarity=DICE
                        order: event time, changes before queries of the same timestamp
                        shards: parallelism=1, nothing to merge
                        runs on: the CPU
                        counts by: bit planes or postings, what costs less for the queries of a batch
                        documents: corpusBytes=1048576 for each shard
                        """);
    }

    /** Of each operator its uid, its name unless that is Flink's, and its parallelism. */
    private List<String> nodes() {
        return env.getStreamGraph(false).getStreamNodes().stream()
                .map(SearchStreamTest::text)
                .toList();
    }

    private static String text(StreamNode node) {
        String name = node.getOperatorName();
        return node.getTransformationUID()
                + " "
                + (name.contains("search") ? name : null)
                + " "
                + node.getParallelism();
    }
}
