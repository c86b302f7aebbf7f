package io.flinkgpu.testkit;

import io.flinkgpu.api.lookup.Bag;
import io.flinkgpu.api.lookup.Combiner;
import io.flinkgpu.api.lookup.ElementType;
import io.flinkgpu.api.lookup.EmbeddingTable;
import io.flinkgpu.api.lookup.LookupRequest;
import io.flinkgpu.api.lookup.Missing;
import io.flinkgpu.api.lookup.VectorChange;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Tables, changes and requests with all that is rare in numbers; the same for a seed. */
public final class RandomLookups {

    private static final int[] DIMENSIONS = {1, 2, 3, 4, 7, 8, 15, 16, 32, 33, 64, 130};

    private static final float[] RARE = {
        0f,
        -0f,
        Float.MIN_VALUE,
        -Float.MIN_VALUE,
        Float.MIN_NORMAL / 2,
        Float.MIN_NORMAL,
        Float.MAX_VALUE,
        -Float.MAX_VALUE,
        Float.POSITIVE_INFINITY,
        Float.NEGATIVE_INFINITY,
        Float.NaN,
        1f,
        0x1.000002p0f,
        65_504f
    };

    private static final long[] RARE_IDS = {0, -1, Long.MIN_VALUE, Long.MAX_VALUE, 1L << 32};

    private final long seed;
    private final Random random;
    private final List<EmbeddingTable> tables = new ArrayList<>();
    private final int ids;

    public RandomLookups(long seed) {
        this(seed, ElementType.values());
    }

    /**
     * @param types of tables
     */
    public RandomLookups(long seed, ElementType... types) {
        this.seed = seed;
        random = new Random(seed);
        ids = 1 << random.nextInt(10);
        for (int i = 1 + random.nextInt(4); i > 0; i--) {
            ElementType type = types[random.nextInt(types.length)];
            int dimension = DIMENSIONS[random.nextInt(DIMENSIONS.length)];
            tables.add(EmbeddingTable.of("t" + i, dimension, type).withMissing(missing(dimension)));
        }
    }

    private Missing missing(int dimension) {
        return switch (random.nextInt(4)) {
            case 0 -> Missing.zeros();
            case 1 -> Missing.constant(number());
            case 2 -> Missing.vector(numbers(dimension));
            default -> Missing.skip();
        };
    }

    public List<EmbeddingTable> tables() {
        return tables;
    }

    public Random random() {
        return random;
    }

    private EmbeddingTable table() {
        return tables.get(random.nextInt(tables.size()));
    }

    private long id() {
        return random.nextInt(8) == 0
                ? RARE_IDS[random.nextInt(RARE_IDS.length)]
                : random.nextInt(ids) * 0x9e37_79b9_7f4a_7c15L;
    }

    private float number() {
        return switch (random.nextInt(4)) {
            case 0 -> RARE[random.nextInt(RARE.length)];
            case 1 -> Float.intBitsToFloat(random.nextInt());
            default -> (random.nextInt(4_097) - 2_048) * 0x1p-12f;
        };
    }

    private float[] numbers(int count) {
        float[] numbers = new float[count];
        for (int i = 0; i < count; i++) {
            numbers[i] = number();
        }
        return numbers;
    }

    /** The bytes of a vector of a table. */
    public byte[] elements(EmbeddingTable table) {
        ByteBuffer bytes =
                ByteBuffer.allocate(table.type().vectorBytes(table.dimension()))
                        .order(ByteOrder.LITTLE_ENDIAN);
        random.nextBytes(bytes.array());
        int floats =
                switch (table.type()) {
                    case F32 -> table.dimension();
                    case F16, BF16 -> 0;
                    case INT8 -> 2;
                };
        for (int i = 0; i < floats; i++) {
            bytes.putFloat(number());
        }
        for (int i = 0; table.type().bytes() == 2 && i < table.dimension(); i++) {
            // Few exponents, so that sums are not all infinite; zeros and the smallest among them.
            if (random.nextBoolean()) {
                int bits = bytes.getShort(2 * i) & 0x80ff;
                bytes.putShort(2 * i, (short) (random.nextInt(4) == 0 ? bits & 0x8000 : bits));
            }
        }
        return bytes.array();
    }

    /** Changes, some of the same ids. */
    public List<VectorChange> changes(int count) {
        List<VectorChange> changes = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            EmbeddingTable table = table();
            changes.add(
                    random.nextInt(4) == 0
                            ? VectorChange.delete(table.name(), id())
                            : VectorChange.upsertElements(table.name(), id(), elements(table)));
        }
        return changes;
    }

    /** Upserts of one table, each id once. */
    public List<VectorChange> base(EmbeddingTable table) {
        List<VectorChange> base = new ArrayList<>();
        for (int i = 0; i < ids; i++) {
            if (random.nextInt(3) > 0) {
                base.add(
                        VectorChange.upsertElements(
                                table.name(), i * 0x9e37_79b9_7f4a_7c15L, elements(table)));
            }
        }
        return base;
    }

    /** Requests, some without bags, some bags without ids. */
    public List<LookupRequest> requests(int count) {
        return requests(count, Combiner.values());
    }

    /** Those whose bags are all combined. */
    public List<LookupRequest> combined(int count) {
        return requests(count, Combiner.SUM, Combiner.MEAN, Combiner.MAX);
    }

    private List<LookupRequest> requests(int count, Combiner... combiners) {
        List<LookupRequest> requests = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            List<Bag> bags = new ArrayList<>();
            boolean isWeighted = random.nextInt(3) == 0;
            for (int bag = random.nextInt(5); bag > 0; bag--) {
                bags.add(bag(isWeighted, combiners));
            }
            LookupRequest request = LookupRequest.of(bags);
            requests.add(random.nextBoolean() ? request : request.withDense(numbers(3)));
        }
        return requests;
    }

    private Bag bag(boolean isWeighted, Combiner... combiners) {
        long[] all = new long[random.nextInt(20) == 0 ? random.nextInt(300) : random.nextInt(6)];
        for (int i = 0; i < all.length; i++) {
            all[i] = id();
        }
        Combiner combiner = combiners[random.nextInt(combiners.length)];
        Bag bag = Bag.of(table().name(), combiner, all);
        return isWeighted && random.nextInt(3) > 0 ? bag.withWeights(numbers(all.length)) : bag;
    }

    @Override
    public String toString() {
        return "seed=" + seed;
    }
}
