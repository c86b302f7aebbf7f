package io.flinkgpu.operator.lookup;

import io.flinkgpu.api.BatchPolicy;
import io.flinkgpu.api.lookup.BadVectorException;
import io.flinkgpu.api.lookup.Bag;
import io.flinkgpu.api.lookup.Combiner;
import io.flinkgpu.api.lookup.ElementType;
import io.flinkgpu.api.lookup.EmbeddingTable;
import io.flinkgpu.api.lookup.Feature;
import io.flinkgpu.api.lookup.LookupRequest;
import io.flinkgpu.api.lookup.Scoring;
import io.flinkgpu.backend.plan.EmbeddingPlan;
import io.flinkgpu.backend.plan.EmbeddingTablesPlan;
import io.flinkgpu.column.ColumnBatch;
import io.flinkgpu.testkit.DenseModel;

import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.compare.VectorEqualsVisitor;
import org.junit.jupiter.api.Test;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * The bytes of requests, whatever the ones before were, and the columns that they make.
 *
 * <p>Covers: RequestReader, AskedRequest, RequestRows, LookupRequest.
 */
class RequestReaderTest {

    private static final int MOST_IDS = 3;
    private static final List<EmbeddingTable> TABLES =
            List.of(
                    EmbeddingTable.of("a", 4, ElementType.F32),
                    EmbeddingTable.of("b", 7, ElementType.F32),
                    EmbeddingTable.of("c", 1, ElementType.F16));

    private static TableRequest<LookupRequest> read(
            RequestReader<LookupRequest> reader, Bag... of) {
        return read(reader, LookupRequest.of(of));
    }

    private static TableRequest<LookupRequest> read(
            RequestReader<LookupRequest> reader, LookupRequest request) {
        return reader.get(request).of(request);
    }

    private static RequestReader<LookupRequest> reader(Scoring scoring) {
        return (RequestReader<LookupRequest>)
                new TableReader(TABLES, scoring).<LookupRequest>requests(request -> request);
    }

    private static Scoring scoring() {
        DenseModel model = new DenseModel(4 + 7 + 1);
        model.linear(0, 1, new float[model.inputWidth()], new float[1]);
        return Scoring.of(model.plan(), 1, Feature.of("a"), Feature.of("b", Combiner.MAX));
    }

    /** By the definition of the columns, with nothing kept from one request to the next. */
    private static TableRequest<LookupRequest> expected(LookupRequest request) {
        ByteBuffer ids = buffer();
        ByteBuffer bags = buffer();
        ByteBuffer ends = buffer();
        ByteBuffer weights = buffer();
        ByteBuffer dense = buffer();
        long values = 0;
        for (Bag bag : request.bags()) {
            int table = bag.table().charAt(0) - 'a';
            bags.putInt(EmbeddingPlan.bag(table, bag.combiner()));
            for (int i = 0; i < bag.ids().length; i++) {
                ids.putLong(bag.ids()[i]);
                weights.putFloat(bag.weights() == null ? 1 : bag.weights()[i]);
                values += bag.combiner() == Combiner.NONE ? TABLES.get(table).dimension() : 0;
            }
            values += bag.combiner() == Combiner.NONE ? 0 : TABLES.get(table).dimension();
            ends.putInt(ids.position() / Long.BYTES);
        }
        for (float number : request.dense()) {
            dense.putFloat(number);
        }
        boolean isWeighted = request.bags().stream().anyMatch(bag -> bag.weights() != null);
        return new TableRequest<>(
                request,
                bytes(ids),
                bytes(bags),
                bytes(ends),
                isWeighted ? bytes(weights) : null,
                bytes(dense),
                values);
    }

    private static ByteBuffer buffer() {
        return ByteBuffer.allocate(1 << 10).order(ByteOrder.LITTLE_ENDIAN);
    }

    private static byte[] bytes(ByteBuffer buffer) {
        return Arrays.copyOf(buffer.array(), buffer.position());
    }

    private static Bag bag(Random random) {
        char letter = (char) ('a' + random.nextInt(TABLES.size()));
        // A name that is the same object as those before, or another that is equal.
        String name = TABLES.get(letter - 'a').name();
        Combiner[] combiners = Combiner.values();
        long[] ids = random.longs(random.nextInt(MOST_IDS)).toArray();
        Bag bag =
                Bag.of(
                        random.nextBoolean() ? name : String.valueOf(letter),
                        combiners[random.nextInt(combiners.length)],
                        ids);
        float[] weights = new float[ids.length];
        for (int i = 0; i < weights.length; i++) {
            weights[i] = Float.intBitsToFloat(random.nextInt());
        }
        return random.nextInt(4) == 0 ? bag.withWeights(weights) : bag;
    }

    @Test
    void aRequestHasTheSameBytesWhateverCameBefore() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        RequestReader<LookupRequest> reader = reader(null);
        List<Bag> bags = new ArrayList<>();
        List<TableRequest<LookupRequest>> read = new ArrayList<>();
        for (int i = 0; i < 2_000; i++) {
            if (random.nextInt(3) == 0 || bags.isEmpty()) {
                bags.add(random.nextInt(bags.size() + 1), bag(random));
            } else {
                bags.set(random.nextInt(bags.size()), bag(random));
            }
            if (bags.size() > 8) {
                bags.subList(random.nextInt(8), bags.size()).clear();
            }
            float[] dense = {random.nextFloat(), -0f, Float.intBitsToFloat(0x7fc00001)};
            read.add(read(reader, LookupRequest.of(bags).withDense(dense)));
        }
        // All at the end, as later ones must leave earlier ones alone.
        for (TableRequest<LookupRequest> request : read) {
            assertThat(request)
                    .as("seed %s", seed)
                    .usingRecursiveComparison()
                    .isEqualTo(expected(request.record()));
        }
    }

    @Test
    void aNameThatNoTableHasIsRefusedAgainAndAgain() {
        RequestReader<LookupRequest> reader = reader(null);
        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> read(reader, Bag.of("d", Combiner.SUM, 1)))
                    .isInstanceOf(BadVectorException.class)
                    .hasMessageStartingWith("there is no such table: tables=3");
        }
        Bag good = Bag.of("a", Combiner.SUM, 1);
        assertThat(read(reader, good))
                .usingRecursiveComparison()
                .isEqualTo(expected(LookupRequest.of(good)));
    }

    @Test
    void aModelReadsNoOtherRequests() {
        RequestReader<LookupRequest> reader = reader(scoring());
        Bag a = Bag.of("a", Combiner.SUM, 1);
        Bag b = Bag.of("b", Combiner.MAX, 2, 3);
        LookupRequest good = LookupRequest.of(a, b).withDense(5);
        List<LookupRequest> others =
                List.of(
                        LookupRequest.of(b, a).withDense(5),
                        LookupRequest.of(a).withDense(5),
                        LookupRequest.of(a, b, b).withDense(5),
                        LookupRequest.of(a, b),
                        LookupRequest.ofIds(new long[] {1}, 5),
                        LookupRequest.ofIds(new long[] {1, 2, 3}, new int[] {1, 2, 3}, 5),
                        LookupRequest.ofIds(new long[] {1, 2}),
                        LookupRequest.of(a, Bag.of("b", Combiner.SUM, 2)).withDense(5),
                        LookupRequest.of(a, Bag.of("d", Combiner.MAX, 2)).withDense(5));
        for (LookupRequest other : others) {
            assertThat(read(reader, good)).usingRecursiveComparison().isEqualTo(expected(good));
            assertThatThrownBy(() -> reader.get(other))
                    .isInstanceOf(BadVectorException.class)
                    .hasMessage(scoring().defectOf(other));
        }
    }

    @Test
    void aRequestByPlaceIsThatOfItsFeatures() {
        Bag a = Bag.of("a", Combiner.SUM, 1);
        Bag b = Bag.of("b", Combiner.MAX, 2);
        Bag none = Bag.of("a", Combiner.SUM);
        Bag two = Bag.of("b", Combiner.MAX, 2, 3);
        RequestReader<LookupRequest> reader = reader(scoring());
        for (int i = 0; i < 2; i++) {
            isThatOf(
                    reader,
                    LookupRequest.ofIds(new long[] {1, 2}, 5),
                    LookupRequest.of(a, b).withDense(5));
            isThatOf(
                    reader,
                    LookupRequest.ofIds(new long[] {2, 3}, new int[] {0, 2}).withDense(6),
                    LookupRequest.of(none, two).withDense(6));
            isThatOf(
                    reader,
                    LookupRequest.of(a, two).withDense(7),
                    LookupRequest.of(a, two).withDense(7));
        }
    }

    private static void isThatOf(
            RequestReader<LookupRequest> reader, LookupRequest request, LookupRequest other) {
        assertThat(read(reader, request))
                .usingRecursiveComparison()
                .ignoringFields("record")
                .isEqualTo(expected(other));
    }

    @Test
    void withoutAModelARequestByPlaceHasAFeatureForEachTable() {
        isThatOf(
                reader(null),
                LookupRequest.ofIds(new long[] {1, 2, 3}),
                LookupRequest.of(
                        Bag.of("a", Combiner.SUM, 1),
                        Bag.of("b", Combiner.SUM, 2),
                        Bag.of("c", Combiner.SUM, 3)));
        assertThatThrownBy(() -> reader(null).get(LookupRequest.ofIds(new long[] {1, 2})))
                .isInstanceOf(BadVectorException.class)
                .hasMessage(
                        "a request by place has a feature for each table: features=2, tables=3; give it"
                                + " bags for other ones");
    }

    @Test
    void endsThatAreNoneAreRefused() {
        for (int[] ends :
                List.of(new int[] {1}, new int[] {2, 1, 2}, new int[] {-1, 2}, new int[0])) {
            assertThatThrownBy(() -> LookupRequest.ofIds(new long[] {1, 2}, ends))
                    .isInstanceOf(BadVectorException.class)
                    .hasMessageContaining("ids=2, features=" + ends.length + ";");
        }
    }

    @Test
    void requestsByPlaceAreEqualByWhatTheyAsk() {
        LookupRequest one = LookupRequest.ofIds(new long[] {1, 2}, 3);
        assertThat(LookupRequest.ofIds(new long[] {1, 2}).withDense(3))
                .isEqualTo(one)
                .hasSameHashCodeAs(one)
                .hasToString("LookupRequest{features=2, dense=1}");
        assertThat(
                        List.of(
                                LookupRequest.ofIds(new long[] {1, 3}, 3),
                                LookupRequest.ofIds(new long[] {1, 2}, 4),
                                LookupRequest.ofIds(new long[] {1, 2}, new int[] {1, 2}, 3),
                                LookupRequest.of().withDense(3)))
                .doesNotContain(one);
        assertThat(one.features()).isEqualTo(2);
        assertThat(LookupRequest.of(Bag.of("a", Combiner.SUM, 1, 2)).features()).isEqualTo(1);
    }

    /** What waits in state makes the same columns as what is appended at once. */
    @Test
    void aRequestMakesTheSameColumnsKeptOrNot() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        RequestReader<LookupRequest> reader = reader(null);
        try (BufferAllocator allocator = new RootAllocator()) {
            RequestRows atOnce = rows(allocator);
            RequestRows later = rows(allocator);
            for (int i = 0; i < 500; i++) {
                LookupRequest request =
                        i % 5 == 0
                                ? LookupRequest.ofIds(
                                        random.longs(4).toArray(), new int[] {1, 1, 4}, 1, 2)
                                : LookupRequest.of(bag(random), bag(random)).withDense(i);
                AskedRequest asked = reader.get(request);
                atOnce.set(asked);
                assertThat(atOnce.input().appender().test(request)).isTrue();
                later.set(asked.of(request));
                assertThat(later.input().appender().test(request)).isTrue();
            }
            try (ColumnBatch first = atOnce.input().builder().build();
                    ColumnBatch second = later.input().builder().build()) {
                for (int column = 0; column <= EmbeddingPlan.DENSE_COLUMN; column++) {
                    assertThat(
                                    VectorEqualsVisitor.vectorEquals(
                                            first.vector(column), second.vector(column)))
                            .as("column %s, seed %s", column, seed)
                            .isTrue();
                }
            }
        }
    }

    private static RequestRows rows(BufferAllocator allocator) {
        EmbeddingPlan plan = new EmbeddingPlan(new EmbeddingTablesPlan(TABLES, 0, 0, null));
        return new RequestRows(plan.input(), allocator, BatchPolicy.DEFAULT);
    }
}
