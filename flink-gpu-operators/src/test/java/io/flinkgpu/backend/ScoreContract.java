package io.flinkgpu.backend;

import io.flinkgpu.api.dense.DensePrecision;
import io.flinkgpu.api.lookup.Bag;
import io.flinkgpu.api.lookup.Combiner;
import io.flinkgpu.api.lookup.ElementType;
import io.flinkgpu.api.lookup.EmbeddingTable;
import io.flinkgpu.api.lookup.Feature;
import io.flinkgpu.api.lookup.LookupRequest;
import io.flinkgpu.api.lookup.LookupValues;
import io.flinkgpu.api.lookup.Missing;
import io.flinkgpu.api.lookup.Scoring;
import io.flinkgpu.api.lookup.VectorChange;
import io.flinkgpu.backend.plan.EmbeddingPlan;
import io.flinkgpu.backend.plan.ScorePlan;
import io.flinkgpu.backend.plan.TransformedBatch;
import io.flinkgpu.column.ColumnBatch;
import io.flinkgpu.embeddings.Elements;
import io.flinkgpu.testkit.DenseBounds;
import io.flinkgpu.testkit.DenseModel;
import io.flinkgpu.testkit.EmbeddingOracle;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.offset;

/**
 * What a lookup whose result is scored has to give on each backend: the two oracles' bits, one after the other.
 *
 * <p>Covers: ScorePlan.
 */
abstract class ScoreContract extends OpenBackend {

    private static final int NUMBERS = 3;

    private static final List<EmbeddingTable> TABLES =
            List.of(
                    EmbeddingTable.of("site", 5, ElementType.F32),
                    EmbeddingTable.of("user", 8, ElementType.BF16)
                            .withMissing(Missing.constant(0.25f)),
                    EmbeddingTable.of("words", 3, ElementType.F16).withMissing(Missing.skip()));

    private static final Feature[] FEATURES = {
        Feature.of("user"),
        Feature.of("words", Combiner.MEAN),
        Feature.of("site", Combiner.MAX),
        Feature.of("user", Combiner.MEAN)
    };

    private static final int WIDTH = 8 + 3 + 5 + 8 + NUMBERS;

    @TempDir Path directory;

    private ScorePlan plan(DenseModel model, Feature... features) {
        return plan(1 << 20, model, features);
    }

    private ScorePlan plan(long bytes, DenseModel model, Feature... features) {
        return new ScorePlan(
                new EmbeddingPlan(EmbeddingTester.plan(directory, TABLES, bytes, bytes)),
                Scoring.of(model.plan(), NUMBERS, features));
    }

    /** Also where vectors are read from files. */
    @ParameterizedTest
    @ValueSource(longs = {1 << 20, 300, 0})
    void scoresAreTheOraclesOfWhatIsLookedUp(long bytes) throws Exception {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        DenseModel model = DenseContract.deepAndCross(random, WIDTH, 2, 40);
        ScorePlan plan = plan(bytes, model, FEATURES);
        EmbeddingOracle oracle = new EmbeddingOracle(TABLES);
        try (CompiledProgram<TransformedBatch> program = backend.compile(plan)) {
            for (int round = 0; round < 4; round++) {
                apply(program, plan, oracle, random);
                List<LookupRequest> requests = new ArrayList<>();
                for (int i = 1 + random.nextInt(150); i >= 0; i--) {
                    requests.add(request(random));
                }
                check(
                        "seed=%d, round=%d".formatted(seed, round),
                        program,
                        plan,
                        requests,
                        model,
                        oracle);
            }
        }
    }

    private void apply(
            CompiledProgram<?> program, ScorePlan plan, EmbeddingOracle oracle, Random random)
            throws BackendException {
        List<VectorChange> changes = new ArrayList<>();
        for (EmbeddingTable table : TABLES) {
            for (int i = 0; i < 20; i++) {
                float[] values = DenseModel.some(random, table.dimension());
                byte[] elements = Elements.narrow(table.type(), values);
                long id = random.nextInt(30);
                oracle.put(table.name(), id, elements);
                changes.add(VectorChange.upsertElements(table.name(), id, elements));
            }
        }
        try (ColumnBatch batch =
                EmbeddingRows.changes(backend.allocator(), plan.lookup().tables(), changes)) {
            program.residents().get(0).apply(batch);
        }
    }

    private static LookupRequest request(Random random) {
        List<Bag> bags = new ArrayList<>();
        for (Feature feature : FEATURES) {
            long[] ids = random.ints(random.nextInt(4), 0, 40).asLongStream().toArray();
            bags.add(Bag.of(feature.table(), feature.combiner(), ids));
        }
        return LookupRequest.of(bags).withDense(DenseModel.some(random, NUMBERS));
    }

    private void check(
            String what,
            CompiledProgram<TransformedBatch> program,
            ScorePlan plan,
            List<LookupRequest> requests,
            DenseModel model,
            EmbeddingOracle oracle)
            throws BackendException {
        List<LookupValues> found;
        try (ColumnBatch batch =
                EmbeddingRows.requests(backend.allocator(), plan.lookup(), requests)) {
            found = find(program, plan, batch);
            int half = requests.size() / 2;
            try (ColumnBatch slice = batch.slice(half, requests.size() - half)) {
                assertThat(find(program, plan, slice))
                        .as(what + ", sliced")
                        .isEqualTo(found.subList(half, requests.size()));
            }
        }
        for (int row = 0; row < requests.size(); row++) {
            float[] scores = model.run(input(oracle, requests.get(row)));
            assertThat(found.get(row))
                    .as("%s, row=%d", what, row)
                    .isEqualTo(new LookupValues(scores, new int[] {1}));
        }
    }

    private static List<LookupValues> find(
            CompiledProgram<TransformedBatch> program, ScorePlan plan, ColumnBatch batch)
            throws BackendException {
        try (TransformedBatch result = program.submit(batch).await()) {
            assertThat(plan.defectOf(result, batch)).isNull();
            return EmbeddingRows.values(result);
        }
    }

    /** What is looked up is the same as ever; only the model is faster. */
    @Test
    void fastScoresAreWithinTheirBound() throws Exception {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        DenseModel model = DenseContract.deepAndCross(random, WIDTH, 2, 40);
        Scoring fast =
                Scoring.of(model.plan().withPrecision(DensePrecision.FAST), NUMBERS, FEATURES);
        ScorePlan plan = new ScorePlan(plan(model, FEATURES).lookup(), fast);
        EmbeddingOracle oracle = new EmbeddingOracle(TABLES);
        try (CompiledProgram<TransformedBatch> program = backend.compile(plan)) {
            apply(program, plan, oracle, random);
            List<LookupRequest> requests = new ArrayList<>();
            for (int i = 0; i < 200; i++) {
                requests.add(request(random));
            }
            try (ColumnBatch batch =
                    EmbeddingRows.requests(backend.allocator(), plan.lookup(), requests)) {
                List<LookupValues> found = find(program, plan, batch);
                for (int row = 0; row < requests.size(); row++) {
                    LookupRequest request = requests.get(row);
                    DenseBounds bounds = DenseBounds.of(model, input(oracle, request));
                    assertThat((double) found.get(row).values()[0])
                            .as("seed=%d, row=%d", seed, row)
                            .isCloseTo(bounds.value(0), offset(bounds.bound(0)));
                }
            }
        }
    }

    /** What the model reads. */
    private static float[] input(EmbeddingOracle oracle, LookupRequest request) {
        float[] values = oracle.find(request).values();
        float[] input = Arrays.copyOf(values, WIDTH);
        System.arraycopy(request.dense(), 0, input, values.length, NUMBERS);
        return input;
    }

    @Test
    void nanHasTheSameBitsEverywhere() throws Exception {
        DenseModel model = new DenseModel(WIDTH);
        model.linear(0, 1, DenseModel.some(new Random(1), WIDTH), null);
        ScorePlan plan = plan(model, FEATURES);
        LookupRequest nan =
                request(new Random(2)).withDense(Float.intBitsToFloat(0xffc12345), 1, 1);
        try (CompiledProgram<TransformedBatch> program = backend.compile(plan);
                ColumnBatch batch =
                        EmbeddingRows.requests(backend.allocator(), plan.lookup(), List.of(nan))) {
            float score = find(program, plan, batch).get(0).values()[0];
            assertThat(Float.floatToRawIntBits(score)).isEqualTo(0x7fc00000);
        }
    }

    @Test
    void aBatchOfOtherRequestsIsRefused() throws Exception {
        ScorePlan plan = plan(DenseContract.deepAndCross(new Random(1), WIDTH, 1, 3), FEATURES);
        LookupRequest other = request(new Random(2)).withDense(1);
        try (CompiledProgram<TransformedBatch> program = backend.compile(plan);
                ColumnBatch batch =
                        EmbeddingRows.requests(
                                backend.allocator(), plan.lookup(), List.of(other))) {
            assertThatThrownBy(() -> program.submit(batch).await())
                    .isInstanceOf(BackendException.class)
                    .hasMessageContainingAll("row=0, bags=4, numbers=1", "; ");
        }
    }

    @Test
    void theModelReadsWhatIsLookedUp() {
        DenseModel model = DenseContract.deepAndCross(new Random(1), WIDTH, 1, 3);
        assertThatThrownBy(() -> plan(model, Feature.of("user"), Feature.of("site")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("inputWidth=27, given=16, features=2, numbers=3", "; ");
        assertThatThrownBy(() -> plan(model, Feature.of("none")))
                .hasMessageContainingAll("feature=0, table=none", "; ");
        assertThatThrownBy(() -> Feature.of("user", Combiner.NONE))
                .hasMessageContainingAll("table=user, combiner=NONE", "; ");
        assertThatThrownBy(() -> Scoring.of(model.plan(), -1)).hasMessageContaining("numbers=-1");
        Scoring scoring = plan(model, FEATURES).scoring();
        LookupRequest good = request(new Random(3));
        assertThat(scoring.defectOf(good)).isNull();
        assertThat(scoring.defectOf(good.withDense())).contains("numbers=0, needed=3; ");
        List<Bag> turned = new ArrayList<>(good.bags());
        Collections.reverse(turned);
        assertThat(scoring.defectOf(LookupRequest.of(turned).withDense(1, 2, 3)))
                .contains("bag=0, needed=user SUM; ");
    }
}
