package io.flinkgpu.operator.lookup;

import io.flinkgpu.api.dense.DenseBuilder;
import io.flinkgpu.api.dense.DenseMatrix;
import io.flinkgpu.api.dense.DensePlan;
import io.flinkgpu.api.lookup.Bag;
import io.flinkgpu.api.lookup.Combiner;
import io.flinkgpu.api.lookup.ElementType;
import io.flinkgpu.api.lookup.EmbeddingTable;
import io.flinkgpu.api.lookup.Feature;
import io.flinkgpu.api.lookup.LookupRequest;
import io.flinkgpu.api.lookup.LookupResult;
import io.flinkgpu.api.lookup.Scoring;
import io.flinkgpu.api.lookup.VectorChange;
import io.flinkgpu.testkit.EmbeddingOracle;
import io.flinkgpu.testkit.RandomLookups;

import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.streaming.util.AbstractStreamOperatorTestHarness;

import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * A lookup: order, time, state, and when batches are cut.
 *
 * <p>Covers: LookupOperator, ResidentChanges, BatchesEmitter, KeptTables, LookupSpec, TableReader.
 */
@Timeout(120)
class LookupOperatorTest {

    private static final List<EmbeddingTable> ONE =
            List.of(EmbeddingTable.of("t", 1, ElementType.F32));

    /** A change or a request, at a time. */
    private record Event(long time, int number, VectorChange change, LookupRequest request) {}

    private static LookupRequest look(long... ids) {
        return LookupRequest.of(Bag.of("t", Combiner.NONE, ids));
    }

    private static VectorChange put(long id, float value) {
        return VectorChange.upsert("t", id, value);
    }

    private static List<Float> values(LookupHarness harness) {
        List<Float> values = new ArrayList<>();
        for (LookupResult<Integer> result : harness.results()) {
            for (float value : result.values().values()) {
                values.add(value);
            }
        }
        return values;
    }

    /** And a batch that is open is not cut by a change. */
    @Test
    void inTheOrderOfArrivalARequestSeesTheChangesBeforeIt() throws Exception {
        try (LookupHarness harness = LookupHarness.of(ONE, false, LookupHarness.NEVER_FULL)) {
            harness.open();
            harness.change(put(1, 5), null);
            harness.ask(0, look(1, 2), null);
            harness.change(put(2, 6), null);
            harness.ask(1, look(1, 2), null);
            harness.end();
            assertThat(values(harness)).containsExactly(5f, 6f, 5f, 6f);
            assertThat(harness.metric("batchRows")).isEqualTo(1);
            assertThat(harness.metric("table.t.lookups")).isEqualTo(4);
            assertThat(harness.metric("table.t.unique")).isEqualTo(2);
            assertThat(harness.metric("table.t.vectors")).isEqualTo(2);
            assertThat(harness.metric("requests")).isEqualTo(2);
            assertThat(harness.metric("changes")).isEqualTo(2);
        }
    }

    @Test
    void weightsOfAModelThatAreNoNumbersAreCounted() throws Exception {
        DenseBuilder model = DensePlan.builder(1);
        DenseMatrix weights = DenseMatrix.of(1, 2, Float.NaN, 3);
        float[] bias = {1, Float.NaN};
        DensePlan plan = model.build(model.linear(model.input(), weights, bias));
        try (LookupHarness harness =
                LookupHarness.scoring(ONE, Scoring.of(plan, 0, Feature.of("t")))) {
            harness.open();
            assertThat(harness.metric("modelNanWeights")).isEqualTo(2);
            harness.ask(0, LookupRequest.of(Bag.of("t", Combiner.SUM, 1)), null);
            harness.end();
            assertThat(values(harness)).containsExactly(Float.NaN, Float.NaN);
        }
    }

    /** One of another id leaves the open batch alone. */
    @Test
    void inEventTimeAChangeOfAnIdOfTheOpenBatchEndsIt() throws Exception {
        try (LookupHarness harness = LookupHarness.of(ONE, true, LookupHarness.NEVER_FULL)) {
            harness.open();
            harness.ask(0, look(1), 10L);
            harness.change(put(1, 7), 11L);
            harness.ask(1, look(1), 12L);
            harness.ask(2, look(1), 13L);
            harness.change(put(2, 8), 14L);
            harness.ask(3, look(1, 2), 15L);
            assertThat(harness.metric("waitingRequests")).isEqualTo(4);
            assertThat(harness.metric("waitingChanges")).isEqualTo(2);
            harness.mark(20);
            assertThat(harness.metric("waitingBytes")).isZero();
            harness.end();
            assertThat(values(harness)).containsExactly(0f, 7f, 7f, 7f, 8f);
            assertThat(harness.metric("batchRows")).isEqualTo(2);
        }
    }

    @Test
    void aLateChangeLeavesALaterOneAlone() throws Exception {
        try (LookupHarness harness = LookupHarness.of(ONE, true, LookupHarness.NEVER_FULL)) {
            harness.open();
            harness.change(put(1, 5), 10L);
            harness.change(VectorChange.delete("t", 2), 10L);
            harness.mark(20);
            harness.change(put(1, 6), 9L);
            harness.change(put(2, 6), 9L);
            harness.change(put(3, 6), 9L);
            harness.ask(0, look(1, 2, 3), 8L);
            harness.end();
            assertThat(values(harness)).containsExactly(5f, 0f, 6f);
            assertThat(harness.metric("lateChanges")).isEqualTo(3);
            assertThat(harness.metric("lateRequests")).isEqualTo(1);
        }
    }

    private static List<Event> events(RandomLookups lookups, int count) {
        List<VectorChange> changes = lookups.changes(count);
        List<LookupRequest> requests = lookups.requests(count);
        List<Event> events = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            long time = i + lookups.random().nextInt(10);
            events.add(
                    lookups.random().nextBoolean()
                            ? new Event(time, i, changes.get(i), null)
                            : new Event(time, i, null, requests.get(i)));
        }
        return events;
    }

    private static List<LookupResult<Integer>> expected(RandomLookups lookups, List<Event> events) {
        EmbeddingOracle oracle = new EmbeddingOracle(lookups.tables());
        List<Event> ordered = new ArrayList<>(events);
        ordered.sort(
                Comparator.comparingLong(Event::time)
                        .thenComparing(event -> event.change == null)
                        .thenComparingInt(Event::number));
        List<LookupResult<Integer>> expected = new ArrayList<>();
        for (Event event : ordered) {
            if (event.change == null) {
                expected.add(new LookupResult<>(event.number, oracle.find(event.request)));
            } else if (event.change.isDelete()) {
                oracle.remove(event.change.table(), event.change.id());
            } else {
                oracle.put(event.change.table(), event.change.id(), event.change.elements());
            }
        }
        expected.sort(Comparator.comparing(LookupResult::record));
        return expected;
    }

    /** With checkpoints and other numbers of subtasks in between; requests go to any of them. */
    @RepeatedTest(15)
    void resultsAreThoseOfTheOrderOfTimeWhateverTheSubtasks() throws Exception {
        long seed = new Random().nextLong();
        RandomLookups lookups = new RandomLookups(seed);
        Random random = lookups.random();
        List<Event> events = events(lookups, 200);
        List<LookupResult<Integer>> results = new ArrayList<>();
        OperatorSubtaskState state = null;
        int[] subtasks = {2, 4, 1, 3};
        int sent = 0;
        for (int round = 0; round < subtasks.length; round++) {
            List<LookupHarness> harnesses = new ArrayList<>();
            try {
                for (int subtask = 0; subtask < subtasks[round]; subtask++) {
                    LookupHarness harness =
                            LookupHarness.of(
                                    lookups.tables(),
                                    true,
                                    LookupHarness.NEVER_FULL.withMaxRows(1 + random.nextInt(20)),
                                    subtasks[round],
                                    subtask);
                    harnesses.add(harness);
                    if (state == null) {
                        harness.open();
                    } else {
                        harness.restored(state, subtasks[round - 1]);
                    }
                }
                int to = events.size() * (round + 1) / subtasks.length;
                for (; sent < to; sent++) {
                    send(events.get(sent), harnesses, random);
                    if (random.nextInt(10) == 0) {
                        long least = sent;
                        for (LookupHarness harness : harnesses) {
                            // What comes later has no earlier time.
                            harness.mark(least);
                            harness.runMails();
                        }
                    }
                }
                boolean isLast = round == subtasks.length - 1;
                List<OperatorSubtaskState> states = new ArrayList<>();
                for (LookupHarness harness : harnesses) {
                    if (isLast) {
                        harness.mark(Long.MAX_VALUE);
                        harness.end();
                    } else {
                        states.add(harness.checkpoint(round));
                    }
                    results.addAll(harness.results());
                }
                state =
                        isLast
                                ? null
                                : AbstractStreamOperatorTestHarness.repackageState(
                                        states.toArray(new OperatorSubtaskState[0]));
            } finally {
                harnesses.forEach(LookupHarness::close);
            }
        }
        results.sort(Comparator.comparing(LookupResult::record));
        assertThat(results).as("seed=" + seed).isEqualTo(expected(lookups, events));
    }

    private static void send(Event event, List<LookupHarness> harnesses, Random random)
            throws Exception {
        if (event.change == null) {
            harnesses
                    .get(random.nextInt(harnesses.size()))
                    .ask(event.number, event.request, event.time);
            return;
        }
        for (LookupHarness harness : harnesses) {
            harness.change(event.change, event.time);
        }
    }

    @Test
    void tablesKeepTheirOrderInState() throws Exception {
        OperatorSubtaskState state;
        try (LookupHarness harness = LookupHarness.of(ONE, false, LookupHarness.NEVER_FULL)) {
            harness.open();
            harness.change(put(1, 5), null);
            state = harness.checkpoint(1);
        }
        EmbeddingTable other = EmbeddingTable.of("other", 1, ElementType.F32);
        List<EmbeddingTable> before = List.of(other, ONE.get(0));
        try (LookupHarness harness = LookupHarness.of(before, false, LookupHarness.NEVER_FULL)) {
            assertThatThrownBy(() -> harness.restored(state, 1))
                    .hasMessage(
                            "tables keep their order, so that what waits in state finds them:"
                                    + " table=t, is=1, was=0; add new ones at the end");
        }
        List<EmbeddingTable> after = List.of(ONE.get(0), other);
        try (LookupHarness harness = LookupHarness.of(after, false, LookupHarness.NEVER_FULL)) {
            harness.restored(state, 1);
            assertThat(harness.metric("restoredChanges")).isEqualTo(1);
            harness.ask(0, look(1), null);
            harness.end();
            assertThat(values(harness)).containsExactly(5f);
        }
    }

    /** A request, then a change; also where another table has the number now. */
    @Test
    void whatWaitsForATableThatIsGoneIsNamedWhenAJobStarts() throws Exception {
        EmbeddingTable other = EmbeddingTable.of("other", 1, ElementType.F32);
        EmbeddingTable third = EmbeddingTable.of("third", 1, ElementType.F32);
        List<EmbeddingTable> both = List.of(ONE.get(0), other);
        for (boolean isChange : new boolean[] {false, true}) {
            OperatorSubtaskState state;
            try (LookupHarness harness = LookupHarness.of(both, true, LookupHarness.NEVER_FULL)) {
                harness.open();
                harness.mark(10);
                if (isChange) {
                    harness.change(VectorChange.upsert("other", 1, 5), 20L);
                } else {
                    harness.ask(0, LookupRequest.of(Bag.of("other", Combiner.NONE, 1)), 20L);
                }
                state = harness.checkpoint(1);
            }
            for (List<EmbeddingTable> tables : List.of(ONE, List.of(ONE.get(0), third))) {
                try (LookupHarness harness =
                        LookupHarness.of(tables, true, LookupHarness.NEVER_FULL)) {
                    assertThatThrownBy(() -> harness.restored(state, 1))
                            .hasMessage(
                                    "what waits for the watermark in state needs its table:"
                                            + " table=other, number=1, waiting=a "
                                            + (isChange ? "change" : "request")
                                            + "; keep the table until nothing of it waits, as after"
                                            + " stop-with-savepoint --drain");
                }
            }
            try (LookupHarness harness =
                    LookupHarness.of(
                            List.of(ONE.get(0), other, third), true, LookupHarness.NEVER_FULL)) {
                harness.restored(state, 1).mark(30);
            }
        }
    }
}
