package io.flinkgpu.operator.search;

import io.flinkgpu.api.BatchPolicy;
import io.flinkgpu.api.search.SearchResult;
import io.flinkgpu.api.search.SetChange;
import io.flinkgpu.api.search.SetMatches;
import io.flinkgpu.api.search.SetQuery;
import io.flinkgpu.api.search.Similarity;
import io.flinkgpu.backend.BruteForceSearchBackend;
import io.flinkgpu.testkit.RandomSetOperations;
import io.flinkgpu.testkit.SetSearchOracle;
import io.flinkgpu.testkit.VersionedQuery;

import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.runtime.state.KeyGroupRangeAssignment;
import org.apache.flink.streaming.api.operators.BoundedMultiInput;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Shards: order, time, state, what goes to the backend and when.
 *
 * <p>Covers: ShardOperator.
 */
@Timeout(120)
class ShardOperatorTest {

    private static final long BYTES = 1L << 30;
    private static final ShardHarness.Settings ARRIVAL =
            new ShardHarness.Settings(
                    Similarity.MAX,
                    false,
                    ShardHarness.NEVER_FULL,
                    BYTES,
                    request -> new BruteForceSearchBackend());
    private static final ShardHarness.Settings EVENT_TIME =
            new ShardHarness.Settings(
                    Similarity.MAX, true, ARRIVAL.policy(), BYTES, ARRIVAL.backend());

    /** A query sees the changes before it and none after, wherever batches are cut. */
    @RepeatedTest(30)
    void answersAreThoseOfTheOrderOfArrival() throws Exception {
        long seed = new Random().nextLong();
        RandomSetOperations operations = new RandomSetOperations(seed);
        Random random = operations.random();
        SetSearchOracle oracle = new SetSearchOracle(operations.similarity());
        List<Object> expected = new ArrayList<>();
        int operationsLeft = 300;
        try (ShardHarness<SearchResult<Integer>> harness = settings(operations, false).one()) {
            harness.open();
            for (int i = 0; i < operationsLeft; i++) {
                switch (random.nextInt(8)) {
                    case 0, 1, 2, 3 -> {
                        SetChange change = operations.change();
                        harness.change(change, null);
                        oracle.apply(change);
                    }
                    case 4 -> harness.runMails();
                    case 5 -> {
                        Watermark mark = new Watermark(i);
                        harness.operator().processWatermark1(mark);
                        harness.operator().processWatermark2(mark);
                        expected.add(mark);
                    }
                    default -> {
                        SetQuery query = operations.query();
                        harness.ask(i, query, (long) i);
                        expected.add(new SearchResult<>(i, oracle.find(query)));
                    }
                }
            }
            ((BoundedMultiInput) harness.operator()).endInput(1);
            assertThat(harness.output()).as(operations.toString()).isEqualTo(expected);
        }
    }

    /** What has a timestamp is applied in the order of timestamps, changes first. */
    @RepeatedTest(30)
    void answersAreThoseOfTheOrderOfTime() throws Exception {
        long seed = new Random().nextLong();
        RandomSetOperations operations = new RandomSetOperations(seed);
        List<Event> events = events(operations, 200);
        try (ShardHarness<SearchResult<Integer>> harness = settings(operations, true).one()) {
            harness.open();
            for (Event event : events) {
                send(harness, event);
                if (operations.random().nextInt(10) == 0) {
                    mark(harness, event.least - 1);
                }
            }
            mark(harness, Long.MAX_VALUE);
            assertThat(harness.results())
                    .as(operations.toString())
                    .isEqualTo(expected(operations, events));
        }
    }

    /** With checkpoints and other numbers of shards in between. */
    @RepeatedTest(20)
    void shardsGiveTheSameAnswersWhateverTheirNumber() throws Exception {
        long seed = new Random().nextLong();
        RandomSetOperations operations = new RandomSetOperations(seed);
        List<Event> events = events(operations, 150);
        ShardHarness.Settings settings = settings(operations, true);
        List<SearchResult<Integer>> results = new ArrayList<>();
        OperatorSubtaskState state = null;
        int[] shards = {2, 4, 1, 3};
        int sent = 0;
        for (int round = 0; round < shards.length; round++) {
            List<ShardHarness<PartialAnswer<Integer>>> harnesses = new ArrayList<>();
            try {
                for (int shard = 0; shard < shards[round]; shard++) {
                    ShardHarness<PartialAnswer<Integer>> harness =
                            settings.one(shards[round], shard);
                    harnesses.add(harness);
                    if (state == null) {
                        harness.open();
                    } else {
                        harness.restored(state, shards[round - 1]);
                    }
                }
                int to = events.size() * (round + 1) / shards.length;
                for (; sent < to; sent++) {
                    Event event = events.get(sent);
                    for (ShardHarness<PartialAnswer<Integer>> harness : harnesses) {
                        if (event.change == null
                                || isOf(harness, event.change.id(), shards[round])) {
                            send(harness, event);
                        }
                    }
                    if (operations.random().nextInt(10) == 0) {
                        for (ShardHarness<PartialAnswer<Integer>> harness : harnesses) {
                            mark(harness, event.least - 1);
                        }
                    }
                }
                OperatorSubtaskState[] states = new OperatorSubtaskState[shards[round]];
                for (int shard = 0; shard < states.length; shard++) {
                    if (round == shards.length - 1) {
                        mark(harnesses.get(shard), Long.MAX_VALUE);
                    }
                    states[shard] = harnesses.get(shard).checkpoint(round);
                }
                state = ShardHarness.repackageState(states);
                results.addAll(merged(harnesses));
            } finally {
                harnesses.forEach(ShardHarness::close);
            }
        }
        assertThat(results).as(operations.toString()).isEqualTo(expected(operations, events));
    }

    @Test
    void allThatArrivedBeforeAQueryIsAppliedInOneBatch() throws Exception {
        List<Integer> batches = new ArrayList<>();
        ShardHarness.Settings settings = watched(batches, ShardHarness.NEVER_FULL);
        try (ShardHarness<SearchResult<Integer>> harness = settings.one()) {
            harness.open();
            harness.change(SetChange.upsert(1, 5), null);
            harness.ask(0, SetQuery.of(9, 5), null);
            harness.change(SetChange.delete(1), null);
            harness.change(SetChange.upsert(2, 5), null);
            harness.ask(1, SetQuery.of(9, 5), null);
            harness.checkpoint(1);
            assertThat(batches).containsExactly(3);
            assertThat(harness.results())
                    .extracting(result -> result.matches().id(0))
                    .containsExactly(1L, 2L);
        }
    }

    @Test
    void changesThatNoQueryComesAfterAreAppliedAfterADelay() throws Exception {
        List<Integer> batches = new ArrayList<>();
        BatchPolicy policy = ShardHarness.NEVER_FULL.withMaxDelay(Duration.ofMillis(30));
        try (ShardHarness<SearchResult<Integer>> harness = watched(batches, policy).one()) {
            harness.open();
            harness.setProcessingTime(100);
            harness.change(SetChange.upsert(1, 5), null);
            harness.setProcessingTime(129);
            harness.change(SetChange.upsert(2, 5), null);
            harness.runMails();
            assertThat(batches).isEmpty();
            harness.setProcessingTime(131);
            harness.checkpoint(1);
            assertThat(batches).containsExactly(2);
        }
    }

    /** Queries that were open when a full batch of changes went have to go before the next one. */
    @Test
    void aFullBatchOfChangesTakesTheOpenQueriesAlong() throws Exception {
        List<Integer> batches = new ArrayList<>();
        try (ShardHarness<SearchResult<Integer>> harness =
                watched(batches, ShardHarness.NEVER_FULL.withMaxRows(2)).one()) {
            harness.open();
            harness.change(SetChange.upsert(7, 5), null);
            harness.ask(0, SetQuery.of(9, 5), null);
            harness.change(SetChange.delete(7), null);
            for (int i = 1; i <= 3; i++) {
                harness.change(SetChange.upsert(1, 5, i), null);
            }
            harness.ask(1, SetQuery.of(9, 5), null);
            harness.checkpoint(1);
            assertThat(batches).containsExactly(2, 2, 1);
            assertThat(harness.results())
                    .extracting(result -> result.matches().id(0))
                    .containsExactly(7L, 1L);
        }
    }

    /** A change or a query that comes after its watermark sees what there is then. */
    @Test
    void whatIsLateIsAppliedAtOnce() throws Exception {
        try (ShardHarness<SearchResult<Integer>> harness = EVENT_TIME.one()) {
            harness.open();
            harness.change(SetChange.upsert(1, 5), 10L);
            harness.change(SetChange.upsert(2, 5), 30L);
            mark(harness, 20);
            harness.ask(0, SetQuery.of(9, 5), 20L);
            harness.change(SetChange.upsert(3, 5), 5L);
            harness.ask(1, SetQuery.of(9, 5), 3L);
            harness.ask(2, SetQuery.of(9, 5), 30L);
            harness.checkpoint(1);
            assertThat(harness.results())
                    .extracting(result -> result.matches().count())
                    .containsExactly(1, 2);
            mark(harness, 30);
            harness.checkpoint(2);
            assertThat(harness.results())
                    .extracting(result -> result.matches().count())
                    .containsExactly(1, 2, 3);
            assertThat(timestamps(harness)).containsExactly(20L, 3L, 30L);
        }
    }

    /** A job that goes on in the order of arrival has lost nothing that waited. */
    @Test
    void whatWaitedIsAppliedAtOnceWhereNothingWaitsAnyMore() throws Exception {
        OperatorSubtaskState state;
        try (ShardHarness<SearchResult<Integer>> harness = EVENT_TIME.one()) {
            harness.open();
            harness.ask(0, SetQuery.of(9, 5), 20L);
            harness.ask(1, SetQuery.of(9, 5), 30L);
            harness.change(SetChange.upsert(1, 5), 25L);
            state = harness.checkpoint(1);
        }
        try (ShardHarness<SearchResult<Integer>> harness = ARRIVAL.one().restored(state, 1)) {
            state = harness.checkpoint(2);
            assertThat(harness.results())
                    .extracting(result -> result.matches().count())
                    .containsExactly(0, 1);
        }
        try (ShardHarness<SearchResult<Integer>> harness = EVENT_TIME.one().restored(state, 1)) {
            mark(harness, Long.MAX_VALUE);
            assertThat(harness.results()).isEmpty();
        }
    }

    /** The first query after a restore sees all documents, with their attributes, empty ones too. */
    @Test
    void theBackendHasAllDocumentsAgainBeforeTheFirstQuery() throws Exception {
        OperatorSubtaskState state;
        List<Integer> batches = new ArrayList<>();
        ShardHarness.Settings settings = watched(batches, ShardHarness.NEVER_FULL.withMaxRows(100));
        try (ShardHarness<SearchResult<Integer>> harness = settings.one()) {
            harness.open();
            for (int i = 0; i < 250; i++) {
                harness.change(SetChange.upsert(i, 5, -1).withAttributes(-i), null);
            }
            harness.change(SetChange.upsert(1_000), null);
            harness.change(SetChange.delete(7), null);
            state = harness.checkpoint(1);
        }
        batches.clear();
        try (ShardHarness<SearchResult<Integer>> harness = settings.one().restored(state, 1)) {
            assertThat(batches).containsExactly(100, 100, 50);
            harness.ask(0, SetQuery.of(1_000, 5).withZero(true), null);
            harness.ask(1, SetQuery.of(9, -1).withAttributes(-1, -249), null);
            harness.checkpoint(1);
            assertThat(harness.results())
                    .extracting(result -> result.matches().count())
                    .containsExactly(250, 1);
        }
    }

    @Test
    void aCorpusThatDoesNotFitFailsWithTheBytesItNeeds() throws Exception {
        ShardHarness.Settings settings =
                new ShardHarness.Settings(
                        Similarity.MAX, false, ShardHarness.NEVER_FULL, 1_000, ARRIVAL.backend());
        try (ShardHarness<SearchResult<Integer>> harness = settings.one()) {
            harness.open();
            for (int i = 0; i < 100; i++) {
                harness.change(SetChange.upsert(i, 5), null);
            }
            harness.ask(0, SetQuery.of(9, 5), null);
            assertThatThrownBy(() -> harness.checkpoint(1))
                    .rootCause()
                    .hasMessage(
                            "a corpus has no room for its documents: name=documents,"
                                    + " neededBytes=3600, corpusBytes=1000, documents=100; raise"
                                    + " corpusBytes, or the parallelism, which divides the documents");
            assertThat(harness.results()).isEmpty();
        }
    }

    @Test
    void oneShardIsNotMadeTwo() throws Exception {
        try (ShardHarness<SearchResult<Integer>> harness = ARRIVAL.whole(2)) {
            assertThatThrownBy(harness::open)
                    .hasMessage(
                            "a search that was built with one shard has no others: shards=2; build"
                                    + " it with parallelism(2)");
        }
    }

    /** The backend closes, which it does only if no byte is held. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 5, 8, 13})
    void nothingIsHeldWhenItClosesAtAnyPoint(int operations) throws Exception {
        AtomicInteger closed = new AtomicInteger();
        ShardHarness.Settings settings =
                new ShardHarness.Settings(
                        Similarity.MAX,
                        false,
                        ShardHarness.NEVER_FULL.withMaxRows(3),
                        BYTES,
                        request ->
                                new BruteForceSearchBackend() {
                                    @Override
                                    public void close() {
                                        super.close();
                                        closed.incrementAndGet();
                                    }
                                });
        try (ShardHarness<SearchResult<Integer>> harness = settings.one()) {
            harness.open();
            for (int i = 0; i < operations; i++) {
                if (i % 3 == 0) {
                    harness.ask(i, SetQuery.of(1, 5), null);
                } else {
                    harness.change(SetChange.upsert(i, 5), null);
                }
            }
        }
        assertThat(closed).hasValue(1);
    }

    /** A query, or a change, and the least timestamp of it and of all after it. */
    private record Event(
            long timestamp, long least, int number, SetQuery query, SetChange change) {}

    private static List<Event> events(RandomSetOperations operations, int count) {
        Random random = operations.random();
        long[] timestamps = new long[count];
        for (int i = 0; i < count; i++) {
            timestamps[i] = i / 4 + random.nextInt(8);
        }
        Event[] events = new Event[count];
        for (int i = count - 1, least = Integer.MAX_VALUE; i >= 0; i--) {
            least = (int) Math.min(least, timestamps[i]);
            boolean asks = random.nextInt(3) == 0;
            events[i] =
                    new Event(
                            timestamps[i],
                            least,
                            i,
                            asks ? operations.query() : null,
                            asks ? null : operations.change());
        }
        return List.of(events);
    }

    private static List<SearchResult<Integer>> expected(
            RandomSetOperations operations, List<Event> events) {
        SetSearchOracle oracle = new SetSearchOracle(operations.similarity());
        List<SearchResult<Integer>> expected = new ArrayList<>();
        events.stream()
                .sorted(
                        Comparator.comparingLong(Event::timestamp)
                                .thenComparing(event -> event.query != null))
                .forEach(
                        event -> {
                            if (event.query == null) {
                                oracle.apply(event.change);
                            } else {
                                expected.add(
                                        new SearchResult<>(event.number, oracle.find(event.query)));
                            }
                        });
        return expected;
    }

    private static void send(ShardHarness<?> harness, Event event) throws Exception {
        if (event.query != null) {
            harness.ask(event.number, event.query, event.timestamp);
        } else {
            harness.change(event.change, event.timestamp);
        }
    }

    private static void mark(ShardHarness<?> harness, long timestamp) throws Exception {
        harness.operator().processWatermark1(new Watermark(timestamp));
        harness.operator().processWatermark2(new Watermark(timestamp));
    }

    private static boolean isOf(ShardHarness<?> harness, long id, int shards) {
        return KeyGroupRangeAssignment.assignKeyToParallelOperator(
                        id, ShardHarness.MAX_PARALLELISM, shards)
                == harness.getEnvironment().getTaskInfo().getIndexOfThisSubtask();
    }

    /** What the merging operator would make of the answers so far. */
    private static List<SearchResult<Integer>> merged(
            List<ShardHarness<PartialAnswer<Integer>>> harnesses) {
        List<SearchResult<Integer>> merged = new ArrayList<>();
        List<PartialAnswer<Integer>> first = harnesses.get(0).results();
        for (int i = 0; i < first.size(); i++) {
            List<SetMatches> matches = new ArrayList<>();
            for (ShardHarness<PartialAnswer<Integer>> harness : harnesses) {
                PartialAnswer<Integer> answer = harness.results().get(i);
                assertThat(answer.number()).isEqualTo(first.get(i).number());
                assertThat(answer.shards()).isEqualTo(harnesses.size());
                matches.add(answer.matches());
            }
            merged.add(
                    new SearchResult<>(
                            first.get(i).record(), MergedMatches.of(matches, first.get(i).k())));
        }
        return merged;
    }

    private static List<Long> timestamps(ShardHarness<?> harness) {
        List<Long> timestamps = new ArrayList<>();
        for (Object element : harness.getOutput()) {
            if (element instanceof StreamRecord<?> record) {
                timestamps.add(record.getTimestamp());
            }
        }
        return timestamps;
    }

    private static ShardHarness.Settings settings(
            RandomSetOperations operations, boolean eventTime) {
        BatchPolicy policy =
                ShardHarness.NEVER_FULL.withMaxRows(1 + operations.random().nextInt(20));
        return new ShardHarness.Settings(
                operations.similarity(), eventTime, policy, BYTES, ARRIVAL.backend());
    }

    /** With a backend that notes how many changes each batch has. */
    private static ShardHarness.Settings watched(List<Integer> batches, BatchPolicy policy) {
        return new ShardHarness.Settings(
                Similarity.MAX,
                false,
                policy,
                BYTES,
                request ->
                        new BruteForceSearchBackend() {
                            @Override
                            protected void apply(SetSearchOracle corpus, List<SetChange> changes) {
                                batches.add(changes.size());
                                super.apply(corpus, changes);
                            }

                            @Override
                            protected SetMatches find(
                                    SetSearchOracle corpus, VersionedQuery query) {
                                assertThat(query.version()).isLessThanOrEqualTo(corpus.version());
                                return super.find(corpus, query);
                            }
                        });
    }
}
