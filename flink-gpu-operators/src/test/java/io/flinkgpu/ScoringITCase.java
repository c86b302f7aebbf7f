package io.flinkgpu;

import io.flinkgpu.api.GpuOptions;
import io.flinkgpu.api.RefusedRecord;
import io.flinkgpu.api.lookup.Bag;
import io.flinkgpu.api.lookup.Combiner;
import io.flinkgpu.api.lookup.ElementType;
import io.flinkgpu.api.lookup.EmbeddingTable;
import io.flinkgpu.api.lookup.Feature;
import io.flinkgpu.api.lookup.LookupRequest;
import io.flinkgpu.api.lookup.LookupResult;
import io.flinkgpu.api.lookup.LookupValues;
import io.flinkgpu.api.lookup.Scoring;
import io.flinkgpu.api.lookup.VectorChange;
import io.flinkgpu.testkit.Clusters;
import io.flinkgpu.testkit.DenseModel;
import io.flinkgpu.testkit.DenseModel.Kind;
import io.flinkgpu.testkit.FailingJobs;

import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.apache.flink.util.OutputTag;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Scores of what is looked up, as jobs.
 *
 * <p>Covers: Scoring.
 */
@Timeout(120)
class ScoringITCase {

    /** More than any of these jobs gives. */
    private static final int MOST_RESULTS = 100_000;

    @RegisterExtension static final MiniClusterExtension CLUSTER = Clusters.ofFourSlots();

    private static final int REQUESTS = 600;
    private static final int IDS = 10;
    private static final EmbeddingTable TABLE = EmbeddingTable.of("t", 4, ElementType.F32);
    private static final OutputTag<RefusedRecord> REFUSED = new OutputTag<>("refused") {};

    /** Of two bags and a number. */
    private static final DenseModel MODEL = model();

    private static DenseModel model() {
        Random random = new Random(5);
        DenseModel model = new DenseModel(9);
        int cross = model.cross(0, 0, DenseModel.some(random, 9), DenseModel.some(random, 9));
        int logits = model.linear(cross, 2, DenseModel.some(random, 18), new float[2]);
        model.add(Kind.SIGMOID, 2, List.of(logits));
        return model;
    }

    private static Scoring scoring() {
        return Scoring.of(MODEL.plan(), 1, Feature.of("t"), Feature.of("t", Combiner.MAX));
    }

    private static float[] vector(long change) {
        return new float[] {change * 0.001f, 1 - change * 0.002f, 0.5f, -0.25f};
    }

    /** With bags or by place. */
    private static LookupRequest request(long number) {
        if (number % 2 == 0) {
            long[] ids = {number % IDS, number % 3, number % 4};
            return LookupRequest.ofIds(ids, new int[] {1, 3}, number * 0.01f);
        }
        return LookupRequest.of(
                        Bag.of("t", Combiner.SUM, number % IDS),
                        Bag.of("t", Combiner.MAX, number % 3, number % 4))
                .withDense(number * 0.01f);
    }

    private static LookupStream<Long, Long> lookup(StreamExecutionEnvironment env) {
        return GpuStreams.lookup(
                        numbers(env, REQUESTS),
                        ScoringITCase::request,
                        numbers(env, REQUESTS),
                        number -> VectorChange.upsert("t", number % IDS, vector(number)),
                        GpuOptions.DEFAULT)
                .tables(TABLE)
                .score(scoring())
                .eventTime();
    }

    private static DataStream<Long> numbers(StreamExecutionEnvironment env, long count) {
        return env.fromSequence(0, count - 1)
                .assignTimestampsAndWatermarks(
                        WatermarkStrategy.<Long>forMonotonousTimestamps()
                                .withTimestampAssigner((number, none) -> number))
                .setParallelism(1);
    }

    private static StreamExecutionEnvironment environment(int parallelism) {
        Configuration config = new Configuration();
        config.set(PipelineOptions.GENERIC_TYPES, false);
        StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment(config);
        env.setParallelism(parallelism);
        return env;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void scoresAreOfTheVectorsOfTheirTime(int parallelism) throws Exception {
        StreamExecutionEnvironment env = environment(1);
        List<LookupResult<Long>> actual =
                lookup(env).parallelism(parallelism).results().executeAndCollect(MOST_RESULTS);
        actual.sort(Comparator.comparing(LookupResult::record));
        assertThat(actual).isEqualTo(expected());
    }

    private static List<LookupResult<Long>> expected() {
        List<LookupResult<Long>> expected = new ArrayList<>();
        for (long number = 0; number < REQUESTS; number++) {
            float[] input = new float[9];
            float[] one = last(number % IDS, number);
            float[] two = last(number % 3, number);
            float[] three = last(number % 4, number);
            for (int i = 0; i < 4; i++) {
                input[i] = one[i];
                input[4 + i] = Math.max(two[i], three[i]);
            }
            input[8] = number * 0.01f;
            expected.add(
                    new LookupResult<>(number, new LookupValues(MODEL.run(input), new int[] {2})));
        }
        return expected;
    }

    /** The vector of an id after so many changes. */
    private static float[] last(long id, long number) {
        long change = number - Math.floorMod(number - id, IDS);
        return change < 0 ? new float[4] : vector(change);
    }

    @Test
    void whatTheModelDoesNotReadIsNoRequest() throws Exception {
        StreamExecutionEnvironment env = environment(1);
        LookupStream<Long, Long> lookup =
                GpuStreams.lookup(
                                numbers(env, 3),
                                number -> number == 1 ? request(1).withDense() : request(number),
                                numbers(env, 1),
                                number -> VectorChange.delete("t", number),
                                GpuOptions.DEFAULT)
                        .tables(TABLE)
                        .score(scoring());
        SingleOutputStreamOperator<LookupResult<Long>> results =
                lookup.deadLetters(REFUSED).results();
        List<String> reasons =
                results.getSideOutput(REFUSED)
                        .map(RefusedRecord::reason)
                        .returns(Types.STRING)
                        .executeAndCollect(MOST_RESULTS);
        assertThat(reasons)
                .singleElement()
                .asString()
                .contains(
                        "a request has the bags and numbers of the model: bags=2, needed=2, numbers=0,"
                                + " needed=1; send as many");
        assertThat(FailingJobs.failure(lookup::results))
                .hasStackTraceContaining("numbers=0, needed=1");
    }

    @Test
    void sizesAreCheckedWhenTheJobIsBuilt() {
        StreamExecutionEnvironment env = environment(1);
        LookupStream<Long, Long> narrow =
                lookup(env).score(Scoring.of(MODEL.plan(), 1, Feature.of("t")));
        assertThatThrownBy(narrow::results)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("inputWidth=9, given=5, features=1, numbers=1; ");
        assertThat(lookup(env).explain())
                .contains(
                        "scored by: DensePlan{inputWidth=9, layers=2, outputWidth=2}, features=2,"
                                + " numbers=1");
    }
}
