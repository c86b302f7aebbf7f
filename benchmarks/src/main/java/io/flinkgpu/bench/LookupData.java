package io.flinkgpu.bench;

import io.flinkgpu.api.lookup.Bag;
import io.flinkgpu.api.lookup.BaseFile;
import io.flinkgpu.api.lookup.Combiner;
import io.flinkgpu.api.lookup.ElementType;
import io.flinkgpu.api.lookup.EmbeddingTable;
import io.flinkgpu.api.lookup.LookupRequest;
import io.flinkgpu.embeddings.MadeVectorFile;

import java.io.IOException;
import java.io.Serializable;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Tables of vectors of 32 elements, those first that are asked for most, and requests by a power law. */
final class LookupData implements Serializable {

    private static final long serialVersionUID = 1L;

    static final double USUAL_SKEW = 1.05;
    static final int DIMENSION = 32;
    static final int VECTOR_BYTES = Float.BYTES * DIMENSION;

    /** The categories of Criteo's features in the data of the Kaggle contest, most of them counted there. */
    private static final long[] CRITEO = {
        1460,
        583,
        10_131_227,
        2_202_608,
        305,
        24,
        12_517,
        633,
        3,
        93_145,
        5683,
        8_351_593,
        3194,
        27,
        14_992,
        5_461_306,
        10,
        5652,
        2173,
        4,
        7_046_547,
        18,
        15,
        286_181,
        105,
        142_572
    };

    private final ArrayList<EmbeddingTable> tables = new ArrayList<>();
    private final long[] sizes;
    private final ElementType type;

    private LookupData(ElementType type, long[] sizes) {
        this.type = type;
        this.sizes = sizes;
    }

    /**
     * 26 tables, written to files in a folder.
     *
     * @param parts each table is one of so many parts of Criteo's
     */
    static LookupData criteo(Path folder, long parts) throws IOException {
        long[] sizes = Arrays.stream(CRITEO).map(size -> (size + parts - 1) / parts).toArray();
        return new LookupData(ElementType.F32, sizes).write(folder);
    }

    /** One table. */
    static LookupData of(Path folder, long vectors) throws IOException {
        return of(folder, ElementType.F32, vectors);
    }

    /** One table of another type. */
    static LookupData of(Path folder, ElementType type, long vectors) throws IOException {
        return new LookupData(type, new long[] {vectors}).write(folder);
    }

    private LookupData write(Path folder) throws IOException {
        for (int i = 0; i < sizes.length; i++) {
            int table = i;
            Path path = folder.resolve("t" + table + ".vectors");
            MadeVectorFile.write(
                    path,
                    type,
                    DIMENSION,
                    sizes[table],
                    (number, target) -> draw(target, table, number),
                    number -> id(table, number));
            tables.add(
                    EmbeddingTable.of("t" + table, DIMENSION, type)
                            .withBase(BaseFile.raw(path.toString())));
        }
        return this;
    }

    private void draw(ByteBuffer target, int table, long number) {
        if (type == ElementType.F32) {
            for (int k = 0; k < DIMENSION; k++) {
                target.putFloat(element(table, number, k));
            }
            return;
        }
        if (type == ElementType.INT8) {
            target.putFloat(0x1p-8f).putFloat(0);
        }
        // Of 16 bits each: a sign and a fraction, between a quarter and a half.
        long fixed =
                switch (type) {
                    case F16 -> 0x3400;
                    case BF16 -> 0x3e80;
                    case F32, INT8 -> 0;
                };
        long drawn =
                switch (type) {
                    case F16 -> 0x83ff;
                    case BF16 -> 0x807f;
                    case F32, INT8 -> 0xffff;
                };
        long each = 0x1_0001_0001_0001L;
        for (int at = 0; at < DIMENSION * type.bytes(); at += Long.BYTES) {
            long hash = SplitMix.mix64((long) table << 56 ^ number << 10 ^ at);
            target.putLong(hash & drawn * each | fixed * each);
        }
    }

    /** Gets a vector and its id. */
    @FunctionalInterface
    interface Vectors {

        void add(int table, long id, float[] vector);
    }

    /** All vectors of all tables. */
    void forEach(Vectors vectors) {
        for (int table = 0; table < sizes.length; table++) {
            for (long number = 0; number < sizes[table]; number++) {
                float[] vector = new float[DIMENSION];
                for (int k = 0; k < DIMENSION; k++) {
                    vector[k] = element(table, number, k);
                }
                vectors.add(table, id(table, number), vector);
            }
        }
    }

    private static float element(int table, long number, int k) {
        long hash = SplitMix.mix64((long) table << 56 ^ number << 10 ^ k);
        return ((hash >>> 40) - (1 << 23)) * 0x1p-24f;
    }

    static long id(int table, long number) {
        return SplitMix.mix64((long) table << 48 | number);
    }

    List<EmbeddingTable> tables() {
        return tables;
    }

    /** Whether vectors are for a GPU alone, as both memories and their file would be more than a machine has. */
    boolean isOnDevice() {
        return type != ElementType.F32;
    }

    /** Of all tables. */
    long vectors() {
        return Arrays.stream(sizes).sum();
    }

    /** What the vectors take in memory of a GPU: a power of two each. */
    long bytes() {
        long each = Integer.highestOneBit(2 * type.vectorBytes(DIMENSION) - 1);
        return vectors() * each;
    }

    /** Requests for an id in each table, whose names they share. */
    List<LookupRequest> requests(int count, double skew, long seed) {
        SplitMix random = new SplitMix(seed);
        List<LookupRequest> requests = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            List<Bag> bags = new ArrayList<>();
            for (int table = 0; table < sizes.length; table++) {
                bags.add(
                        Bag.of(
                                tables.get(table).name(),
                                Combiner.SUM,
                                id(table, number(random, sizes[table], skew))));
            }
            requests.add(LookupRequest.of(bags.toArray(new Bag[0])));
        }
        return requests;
    }

    /** By a power law from 0 on: the inverse of its integral. */
    private static long number(SplitMix random, long count, double skew) {
        double u = (random.next() >>> 11) * 0x1p-53;
        double power = 1 - skew;
        double most = Math.pow(count + 1.0, power);
        double rank = Math.pow(1 + u * (most - 1), 1 / power);
        return Math.min(count - 1, (long) rank - 1);
    }
}
