package io.flinkgpu.backend;

import io.flinkgpu.api.lookup.Bag;
import io.flinkgpu.api.lookup.BaseFile;
import io.flinkgpu.api.lookup.Combiner;
import io.flinkgpu.api.lookup.ElementType;
import io.flinkgpu.api.lookup.EmbeddingTable;
import io.flinkgpu.api.lookup.LookupRequest;
import io.flinkgpu.api.lookup.LookupValues;
import io.flinkgpu.api.lookup.Missing;
import io.flinkgpu.api.lookup.VectorChange;
import io.flinkgpu.embeddings.Elements;
import io.flinkgpu.embeddings.TableGauge;
import io.flinkgpu.embeddings.VectorFileWriter;
import io.flinkgpu.testkit.RandomLookups;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * What every backend finds in tables of vectors; all of it is compared with the oracle's, too.
 *
 * <p>Covers: EmbeddingPlan, EmbeddingTable.
 */
public abstract class EmbeddingContract extends OpenBackend {

    private static final float NAN = Float.NaN;
    private static final float INFINITY = Float.POSITIVE_INFINITY;

    @TempDir Path directory;

    /** How many sets of tables are filled at random, for each share of memory. */
    protected int randomTables() {
        return Integer.getInteger("lookup.tables", 25);
    }

    private static VectorChange upsert(long id, float... values) {
        return VectorChange.upsertElements("t", id, Elements.narrow(ElementType.F32, values));
    }

    private static LookupRequest request(Combiner combiner, long... ids) {
        return LookupRequest.of(Bag.of("t", combiner, ids));
    }

    private static EmbeddingTable pairs() {
        return EmbeddingTable.of("t", 2, ElementType.F32);
    }

    private static void assertBits(LookupValues found, float... values) {
        assertThat(found.values()).containsExactly(values);
    }

    @Test
    void vectorsOfABagAreCombined() throws Exception {
        try (EmbeddingTester tables = EmbeddingTester.of(backend, directory, pairs())) {
            tables.apply(upsert(1, 1, 2), upsert(2, 3, -4), upsert(-7, 0.5f, 0.25f));
            List<LookupValues> found =
                    tables.find(
                            request(Combiner.NONE, 2, 1, 2),
                            request(Combiner.SUM, 1, 2, -7),
                            request(Combiner.MEAN, 1, 2),
                            request(Combiner.MAX, 1, 2, -7));
            assertBits(found.get(0), 3, -4, 1, 2, 3, -4);
            assertBits(found.get(1), 4.5f, -1.75f);
            assertBits(found.get(2), 2, -1);
            assertBits(found.get(3), 3, 2);
        }
    }

    @Test
    void aBagWithoutVectorsGivesZeros() throws Exception {
        EmbeddingTable skipping = pairs().withMissing(Missing.skip());
        try (EmbeddingTester tables = EmbeddingTester.of(backend, directory, skipping)) {
            for (long[] ids : List.of(new long[] {}, new long[] {5, 6})) {
                List<LookupValues> found =
                        tables.find(
                                request(Combiner.NONE, ids),
                                request(Combiner.SUM, ids),
                                request(Combiner.MEAN, ids),
                                request(Combiner.MAX, ids),
                                LookupRequest.of());
                assertBits(found.get(0));
                assertBits(found.get(1), 0, 0);
                assertBits(found.get(2), 0, 0);
                assertBits(found.get(3), 0, 0);
                assertThat(found.get(4).bags()).isZero();
            }
        }
    }

    @Test
    void aMissingIdGivesWhatItsTableSays() throws Exception {
        List<Missing> all =
                List.of(
                        Missing.zeros(),
                        Missing.constant(-1),
                        Missing.vector(5, -0f),
                        Missing.skip());
        float[][] none = {{1, 2, 0, 0}, {1, 2, -1, -1}, {1, 2, 5, -0f}, {1, 2}};
        float[][] mean = {{0.5f, 1}, {0, 0.5f}, {3, 1}, {1, 2}};
        float[][] max = {{1, 2}, {1, 2}, {5, 2}, {1, 2}};
        for (int i = 0; i < all.size(); i++) {
            EmbeddingTable table = pairs().withMissing(all.get(i));
            try (EmbeddingTester tables = EmbeddingTester.of(backend, directory, table)) {
                tables.apply(upsert(1, 1, 2));
                List<LookupValues> found =
                        tables.find(
                                request(Combiner.NONE, 1, 9),
                                request(Combiner.MEAN, 1, 9),
                                request(Combiner.MAX, 9, 1));
                assertBits(found.get(0), none[i]);
                assertBits(found.get(1), mean[i]);
                assertBits(found.get(2), max[i]);
            }
        }
    }

    @Test
    void weightsMultiplyAndDoNotCount() throws Exception {
        EmbeddingTable table = pairs().withMissing(Missing.constant(8));
        try (EmbeddingTester tables = EmbeddingTester.of(backend, directory, table)) {
            tables.apply(upsert(1, 1, 2), upsert(2, 3, -4));
            Bag bag = Bag.of("t", Combiner.MEAN, 1, 2, 3).withWeights(2, 0.5f, -0.25f);
            Bag without = Bag.of("t", Combiner.SUM, 1);
            List<LookupValues> found =
                    tables.find(LookupRequest.of(bag), LookupRequest.of(without, bag, without));
            assertBits(found.get(0), 0.5f, 0);
            assertBits(found.get(1), 1, 2, 0.5f, 0, 1, 2);
            Bag nan = Bag.of("t", Combiner.NONE, 1).withWeights(NAN);
            assertBits(tables.find(LookupRequest.of(nan)).get(0), NAN, NAN);
            assertThat(tables.gauge("t", TableGauge.NAN_WEIGHTS)).isEqualTo(1);
        }
    }

    @Test
    void rareNumbersAreCombinedAsIeeeSays() throws Exception {
        try (EmbeddingTester tables = EmbeddingTester.of(backend, directory, pairs())) {
            tables.apply(
                    upsert(1, -0f, Float.MIN_VALUE),
                    upsert(2, 0f, -Float.MIN_VALUE),
                    upsert(3, INFINITY, NAN),
                    upsert(4, -INFINITY, 1),
                    upsert(5, Float.MAX_VALUE, 0x1p-149f));
            List<LookupValues> found =
                    tables.find(
                            request(Combiner.NONE, 1),
                            request(Combiner.SUM, 1),
                            request(Combiner.MEAN, 1),
                            request(Combiner.MAX, 1, 2),
                            request(Combiner.MAX, 2, 1),
                            request(Combiner.SUM, 3, 4),
                            request(Combiner.MAX, 3, 4),
                            request(Combiner.MAX, 4, 3),
                            request(Combiner.SUM, 5, 5, 4),
                            request(Combiner.MEAN, 1, 5, 5));
            assertBits(found.get(0), -0f, Float.MIN_VALUE);
            assertBits(found.get(1), 0f, Float.MIN_VALUE);
            assertBits(found.get(2), 0f, Float.MIN_VALUE);
            assertBits(found.get(3), -0f, Float.MIN_VALUE);
            assertBits(found.get(4), 0f, Float.MIN_VALUE);
            assertBits(found.get(5), NAN, NAN);
            assertBits(found.get(6), INFINITY, NAN);
            assertBits(found.get(7), INFINITY, 1);
            assertBits(found.get(8), NAN, 1);
            assertBits(found.get(9), INFINITY, Float.MIN_VALUE);
        }
    }

    /** Sums depend on their order, so that each has to be the one from left to right. */
    @Test
    void sumsAreMadeFromLeftToRight() throws Exception {
        try (EmbeddingTester tables = EmbeddingTester.of(backend, directory, pairs())) {
            tables.apply(upsert(1, 1e8f, 1), upsert(2, -1e8f, 1e-8f), upsert(3, 1, -1));
            List<LookupValues> found =
                    tables.find(request(Combiner.SUM, 1, 2, 3), request(Combiner.SUM, 3, 1, 2));
            assertBits(found.get(0), 1, 0);
            assertBits(found.get(1), 0, 1e-8f);
        }
    }

    private static int[] bits(List<LookupValues> found) {
        float[] values = found.get(0).values();
        int[] bits = new int[values.length];
        Arrays.setAll(bits, i -> Float.floatToRawIntBits(values[i]));
        return bits;
    }

    /** What no arithmetic is done with keeps its bits, NaNs included; one that arithmetic gave is the usual one. */
    @Test
    void floatsWithoutArithmeticKeepTheirBits() throws Exception {
        int[] bits = {0x7f80_0001, 0xffff_ffff, 0x7fc0_1234, 0x8000_0000, 1};
        EmbeddingTable table = EmbeddingTable.of("t", bits.length, ElementType.F32);
        byte[] elements = new byte[4 * bits.length];
        for (int i = 0; i < elements.length; i++) {
            elements[i] = (byte) (bits[i / 4] >>> 8 * (i % 4));
        }
        try (EmbeddingTester tables = EmbeddingTester.of(backend, directory, table)) {
            tables.apply(VectorChange.upsertElements("t", 1, elements));
            for (Combiner combiner : List.of(Combiner.NONE, Combiner.MAX)) {
                assertThat(bits(tables.find(request(combiner, 1)))).containsExactly(bits);
            }
            for (Combiner combiner : List.of(Combiner.SUM, Combiner.MEAN)) {
                assertThat(bits(tables.find(request(combiner, 1))))
                        .containsExactly(0x7fc0_0000, 0x7fc0_0000, 0x7fc0_0000, 0, 1);
            }
            Bag weighted = Bag.of("t", Combiner.NONE, 1).withWeights(1);
            assertThat(bits(tables.find(LookupRequest.of(weighted))))
                    .containsExactly(0x7fc0_0000, 0x7fc0_0000, 0x7fc0_0000, 0x8000_0000, 1);
        }
    }

    /** All that 16 bits can be, in vectors of all of them. */
    @ParameterizedTest
    @EnumSource(
            value = ElementType.class,
            names = {"F16", "BF16"})
    void everyNumberOf16BitsIsWidenedExactly(ElementType type) throws Exception {
        int dimension = 1 << 12;
        EmbeddingTable table = EmbeddingTable.of("t", dimension, type);
        try (EmbeddingTester tables = EmbeddingTester.of(backend, directory, table)) {
            List<LookupRequest> requests = new ArrayList<>();
            for (int vector = 0; vector < 1 << 16; vector += dimension) {
                byte[] elements = new byte[2 * dimension];
                for (int i = 0; i < dimension; i++) {
                    elements[2 * i] = (byte) (vector + i);
                    elements[2 * i + 1] = (byte) (vector + i >>> 8);
                }
                tables.apply(VectorChange.upsertElements("t", vector, elements));
                requests.add(request(Combiner.NONE, vector));
            }
            tables.find(requests.toArray(new LookupRequest[0]));
        }
    }

    @Test
    void aChangeTakesThePlaceOfAnEarlierOne() throws Exception {
        try (EmbeddingTester tables = EmbeddingTester.of(backend, directory, pairs())) {
            tables.apply(upsert(1, 1, 1), upsert(1, 2, 2), upsert(2, 5, 5));
            assertBits(tables.find(request(Combiner.NONE, 1, 2)).get(0), 2, 2, 5, 5);
            tables.apply(VectorChange.delete("t", 2), upsert(1, 3, 3), VectorChange.delete("t", 9));
            assertBits(tables.find(request(Combiner.NONE, 1, 2)).get(0), 3, 3, 0, 0);
            tables.apply(upsert(2, 6, 6), VectorChange.delete("t", 1));
            assertBits(tables.find(request(Combiner.NONE, 1, 2)).get(0), 0, 0, 6, 6);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {7, 127, 128, 299})
    void anIdThatABaseFileHasTwiceIsRefused(int second) throws Exception {
        Path path = directory.resolve("twice-" + second);
        try (VectorFileWriter writer = new VectorFileWriter(path, ElementType.F32, 2)) {
            for (int i = 0; i < 300; i++) {
                writer.add(i == second ? 3 : i, new byte[2 * Float.BYTES]);
            }
            writer.finish(1);
        }
        EmbeddingTable table = pairs().withBase(BaseFile.raw(path.toString()));
        assertThatThrownBy(() -> EmbeddingTester.of(backend, directory, table))
                .isInstanceOf(BackendException.class)
                .hasMessageEndingWith(", vector=" + second + "; write each id once");
    }

    @Test
    void lookupsAreCounted() throws Exception {
        EmbeddingTable other = EmbeddingTable.of("other", 1, ElementType.F32);
        try (EmbeddingTester tables = EmbeddingTester.of(backend, directory, pairs(), other)) {
            tables.apply(upsert(1, 1, 1), upsert(2, 2, 2));
            tables.find(request(Combiner.SUM, 1, 1, 2, 7), request(Combiner.NONE, 1, 7));
            tables.find(request(Combiner.SUM, 1));
            assertThat(tables.gauge("t", TableGauge.VECTORS)).isEqualTo(2);
            assertThat(tables.gauge("t", TableGauge.LOOKUPS)).isEqualTo(7);
            assertThat(tables.gauge("t", TableGauge.MISSING)).isEqualTo(2);
            assertThat(tables.gauge("t", TableGauge.UNIQUE)).isEqualTo(3);
            assertThat(hits(tables, "t")).isEqualTo(5);
            assertThat(tables.gauge("other", TableGauge.LOOKUPS)).isZero();
        }
    }

    private static long hits(EmbeddingTester tables, String table) {
        return tables.gauge(table, TableGauge.DEVICE_HITS)
                + tables.gauge(table, TableGauge.HOST_HITS)
                + tables.gauge(table, TableGauge.DISK_HITS);
    }

    /** The same answers with the same file, whatever there is memory for; then more is changed than fits. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 5, 100})
    void answersDoNotDependOnMemory(int percent) throws Exception {
        int vectors = 3_000;
        EmbeddingTable table = EmbeddingTable.of("t", 32, ElementType.F32);
        Random random = new Random(22);
        List<VectorChange> base = new ArrayList<>();
        for (int i = 0; i < vectors; i++) {
            base.add(upsert(i * 7L, numbers(random)));
        }
        long bytes = (long) vectors * table.vectorBytes() * percent / 100;
        EmbeddingTable stored = EmbeddingTester.withBase(directory, table, base);
        try (EmbeddingTester tables =
                new EmbeddingTester(
                        backend,
                        EmbeddingTester.plan(directory, List.of(stored), bytes, bytes),
                        base)) {
            long[] all = LongStream.range(0, vectors * 7L).toArray();
            for (int round = 0; round < 3; round++) {
                tables.find(
                        request(Combiner.SUM, all),
                        request(Combiner.NONE, random.longs(500, 0, vectors * 7L).toArray()));
                for (int batch = 0; batch < 4; batch++) {
                    List<VectorChange> changes = new ArrayList<>();
                    for (int i = 0; i < 300; i++) {
                        long id = random.nextInt(vectors * 8);
                        changes.add(
                                random.nextInt(3) == 0
                                        ? VectorChange.delete("t", id)
                                        : upsert(id, numbers(random)));
                    }
                    tables.apply(changes);
                }
            }
            assertThat(hits(tables, "t"))
                    .isEqualTo(
                            tables.gauge("t", TableGauge.LOOKUPS)
                                    - tables.gauge("t", TableGauge.MISSING));
            if (percent == 0) {
                assertThat(tables.gauge("t", TableGauge.DISK_HITS)).isPositive();
                assertThat(tables.gauge("t", TableGauge.DISK_WAIT_P50)).isPositive();
                assertThat(tables.gauge("t", TableGauge.DISK_WAIT_P99))
                        .isBetween(
                                tables.gauge("t", TableGauge.DISK_WAIT_P50),
                                tables.gauge("t", TableGauge.DISK_WAIT));
            }
        }
    }

    private static float[] numbers(Random random) {
        float[] numbers = new float[32];
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] = random.nextFloat() - 0.5f;
        }
        return numbers;
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 5, 50, 100})
    void randomTables(int percent) throws Exception {
        long seed = System.nanoTime();
        for (int i = 0; i < randomTables(); i++) {
            EmbeddingTester.checkRandom(backend, directory, seed + i, percent, 4);
        }
    }

    /** Each type by itself, so that none is rare. */
    @ParameterizedTest
    @EnumSource(ElementType.class)
    void randomVectorsOfEachType(ElementType type) throws Exception {
        long seed = System.nanoTime();
        RandomLookups lookups = new RandomLookups(seed, type);
        try (EmbeddingTester tables =
                EmbeddingTester.of(
                        backend, directory, lookups.tables().toArray(new EmbeddingTable[0]))) {
            for (int round = 0; round < 10; round++) {
                tables.apply(lookups.changes(300));
                tables.find(lookups.requests(30).toArray(new LookupRequest[0]));
            }
        } catch (AssertionError e) {
            throw new AssertionError(lookups + ": " + e.getMessage(), e);
        }
    }
}
