package io.flinkgpu.operator.search;

import io.flinkgpu.api.ErrorValues;
import io.flinkgpu.api.search.SearchResult;
import io.flinkgpu.api.search.SearchResultSerializer;
import io.flinkgpu.api.search.SetMatches;
import io.flinkgpu.api.search.Similarity;
import io.flinkgpu.operator.Harnesses;
import io.flinkgpu.operator.OperatorEnvironment;

import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.common.typeutils.base.StringSerializer;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.runtime.state.KeyGroupRangeAssignment;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.KeyedOneInputStreamOperatorTestHarness;

import org.junit.jupiter.api.Test;

import java.util.Arrays;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Answers of shards: when they leave, with which timestamp, and what becomes of them in a checkpoint.
 *
 * <p>Covers: MergeOperator.
 */
class MergeOperatorTest {

    private static final int MAX_PARALLELISM = 16;

    @Test
    void anAnswerLeavesOnceAllShardsHaveOne() throws Exception {
        try (Harness harness = new Harness(1, 0)) {
            harness.open();
            harness.answer(0, 1, 3, 70, 30);
            harness.answer(2, 1, 3, 70, 10);
            harness.answer(0, 2, 3, 60, 40);
            harness.processWatermark(new Watermark(50));
            assertThat(harness.getOutput()).containsExactly(new Watermark(50));
            harness.answer(1, 1, 3, 70, 20);
            assertThat(harness.getOutput())
                    .containsExactly(
                            new Watermark(50), new StreamRecord<>(result(1, 10, 20, 30), 70));
        }
    }

    @Test
    void aQueryWithoutATimestampHasAnAnswerWithout() throws Exception {
        try (Harness harness = new Harness(1, 0)) {
            harness.open();
            harness.answer(0, 1, 1, 70, 30);
            harness.answer(0, 2, 1, PartialAnswer.NO_TIMESTAMP, 30);
            assertThat(harness.getOutput())
                    .containsExactly(
                            new StreamRecord<>(result(1, 30), 70),
                            new StreamRecord<>(result(2, 30)));
        }
    }

    /** Of several origins, with other numbers of subtasks before and after. */
    @Test
    void answersThatWaitAreRestoredWithTheirOrigins() throws Exception {
        OperatorSubtaskState state;
        try (Harness harness = new Harness(1, 0)) {
            harness.open();
            for (int origin = 0; origin < 8; origin++) {
                harness.answer(origin, 0, 7, 2, 70, origin);
                harness.answer(origin, 0, 8, 2, 71, origin);
            }
            state = harness.snapshot(1, 0);
        }
        OperatorSubtaskState[] states = new OperatorSubtaskState[2];
        int pending = 0;
        int answered = 0;
        for (int task = 0; task < 2; task++) {
            try (Harness harness = new Harness(2, task)) {
                harness.initializeState(
                        Harness.repartitionOperatorState(state, MAX_PARALLELISM, 1, 2, task));
                harness.open();
                assertThat(harness.pendingQueries()).isPositive();
                pending += harness.pendingQueries();
                for (int origin = 0; origin < 8; origin++) {
                    if (Harness.isOf(origin, 2, task)) {
                        harness.answer(origin, 1, 7, 2, 70, 10);
                    }
                }
                answered += harness.getOutput().size();
                states[task] = harness.snapshot(2, 0);
            }
        }
        assertThat(pending).isEqualTo(16);
        assertThat(answered).isEqualTo(8);
        try (Harness harness = new Harness(1, 0)) {
            harness.initializeState(
                    Harness.repartitionOperatorState(
                            Harness.repackageState(states), MAX_PARALLELISM, 2, 1, 0));
            harness.open();
            for (int origin = 0; origin < 8; origin++) {
                harness.answer(origin, 1, 8, 2, 71, 10);
            }
            assertThat(harness.getOutput()).hasSize(8);
            assertThat(harness.snapshot(3, 0)).isNotNull();
            assertThat(harness.numKeyedStateEntries()).isZero();
        }
    }

    /** So that a job with one shard, which merges nothing, can go on from its savepoint. */
    @Test
    void thereIsNoStateWhereNothingWaits() throws Exception {
        try (Harness harness = new Harness(1, 0)) {
            harness.open();
            harness.answer(0, 1, 2, 70, 30);
            harness.answer(1, 1, 2, 70, 31);
            assertThat(harness.snapshot(1, 0).hasState()).isFalse();
            harness.answer(0, 2, 2, 70, 30);
            assertThat(harness.snapshot(2, 0).hasState()).isTrue();
        }
    }

    private static SearchResult<String> result(int number, long... ids) {
        return new SearchResult<>("q" + number, matches(ids));
    }

    private static SetMatches matches(long... ids) {
        int[] ones = new int[ids.length];
        Arrays.fill(ones, 1);
        return new SetMatches(Similarity.MAX, 1, ids, ones, ones);
    }

    private static final class Harness
            extends KeyedOneInputStreamOperatorTestHarness<
                    Integer, PartialAnswer<String>, SearchResult<String>> {

        private final OperatorEnvironment environment;

        Harness(int tasks, int task) throws Exception {
            this(OperatorEnvironment.ofSubtask(MAX_PARALLELISM, tasks, task));
        }

        private Harness(OperatorEnvironment environment) throws Exception {
            super(
                    new MergeOperator<>(
                            new AnswerMapper<String, SearchResult<String>>(
                                    result -> result, ErrorValues.HIDDEN)),
                    PartialAnswer::origin,
                    Types.INT,
                    environment.environment());
            this.environment = environment;
            config.setupNetworkInputs(new PartialAnswerSerializer<>(StringSerializer.INSTANCE));
            config.serializeAllConfigs();
            setup(new SearchResultSerializer<>(StringSerializer.INSTANCE));
        }

        int pendingQueries() {
            return (Integer) environment.gauge("gpu.pendingQueries");
        }

        void answer(int shard, int number, int shards, long timestamp, long id) throws Exception {
            answer(0, shard, number, shards, timestamp, id);
        }

        void answer(int origin, int shard, int number, int shards, long timestamp, long id)
                throws Exception {
            processElement(
                    new StreamRecord<>(
                            new PartialAnswer<>(
                                    origin,
                                    number,
                                    timestamp,
                                    shards,
                                    10,
                                    shard == 0 ? "q" + number : null,
                                    matches(id))));
        }

        /** Closes the operator without an end of its input, as a cancelled task does. */
        @Override
        public void close() {
            Harnesses.cancel(this);
        }

        static boolean isOf(int origin, int tasks, int task) {
            return KeyGroupRangeAssignment.assignKeyToParallelOperator(
                            origin, MAX_PARALLELISM, tasks)
                    == task;
        }
    }
}
