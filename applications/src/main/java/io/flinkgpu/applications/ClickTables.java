package io.flinkgpu.applications;

import io.flinkgpu.EmbeddingFiles;
import io.flinkgpu.api.lookup.ElementType;
import io.flinkgpu.api.lookup.EmbeddingTable;
import io.flinkgpu.api.lookup.VectorChange;

import java.io.IOException;
import java.io.Serializable;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.stream.IntStream;

/**
 * The 26 tables of made-up clicks: their sizes, which ids they have, and their vectors, all by number and so always
 * the same.
 *
 * @param sizes vectors of each
 */
record ClickTables(int[] sizes, int dimension) implements Serializable {

    /** Of the categorical features of the data set Criteo Kaggle. */
    private static final int[] CRITEO = {
        1460, 583, 10131227, 2202608, 305, 24, 12517, 633, 3, 93145, 5683, 8351593, 3194, 27, 14992,
        5461306, 10, 5652, 2173, 4, 7046547, 18, 15, 286181, 105, 142572
    };

    static final int COUNT = CRITEO.length;

    /** How much less frequent the tenth id is than the first: 10 to this power. */
    private static final double SKEW = 1.05;

    private static final long LEAST = 3;
    private static final double UNIT = 0x1p-53;

    static ClickTables of(double scale, int dimension) {
        int[] sizes = new int[COUNT];
        for (int table = 0; table < COUNT; table++) {
            sizes[table] = (int) Math.max(LEAST, Math.round(CRITEO[table] * scale));
        }
        return new ClickTables(sizes, dimension);
    }

    static String name(int table) {
        return "feature-" + (table + 1);
    }

    long vectors() {
        return IntStream.of(sizes).asLongStream().sum();
    }

    /** The id of the so-manieth most frequent vector of a table. */
    static long id(int table, long rank) {
        return SplitMix.mix((long) table << Integer.SIZE | rank);
    }

    /** An id of a table, by a random number: that of rank r is about as frequent as r to the power of -1.05. */
    long drawn(int table, long bits) {
        double uniform = (bits >>> 11) * UNIT;
        double exponent = 1 - SKEW;
        double end = StrictMath.pow(sizes[table] + 1.0, exponent);
        double rank = StrictMath.pow(1 + uniform * (end - 1), 1 / exponent);
        return id(table, Math.min(sizes[table], (long) rank) - 1);
    }

    /**
     * The numbers of a vector, from -1/8 to 1/8.
     *
     * @param version 0 before it changes
     */
    float[] vector(long id, long version) {
        SplitMix random = new SplitMix(id + version);
        float[] numbers = new float[dimension];
        for (int i = 0; i < dimension; i++) {
            numbers[i] = Weights.number(random, 0.125f);
        }
        return numbers;
    }

    /** Writes the base files of all tables to a folder. */
    EmbeddingTable[] write(Path folder) throws IOException {
        EmbeddingTable[] tables = new EmbeddingTable[COUNT];
        for (int i = 0; i < COUNT; i++) {
            int table = i;
            EmbeddingTable empty = EmbeddingTable.of(name(i), dimension, ElementType.F32);
            Iterator<VectorChange> vectors =
                    IntStream.range(0, sizes[i])
                            .mapToLong(rank -> id(table, rank))
                            .mapToObj(id -> VectorChange.upsert(name(table), id, vector(id, 0)))
                            .iterator();
            Path file = folder.resolve(name(i) + ".vectors");
            tables[i] = empty.withBase(EmbeddingFiles.write(file, empty, vectors, 1));
        }
        return tables;
    }
}
