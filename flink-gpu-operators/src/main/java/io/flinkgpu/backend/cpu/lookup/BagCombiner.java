package io.flinkgpu.backend.cpu.lookup;

import io.flinkgpu.api.lookup.Combiner;
import io.flinkgpu.api.lookup.ElementType;
import io.flinkgpu.api.lookup.EmbeddingTable;
import io.flinkgpu.backend.plan.EmbeddingPlan;
import io.flinkgpu.embeddings.Elements;
import io.flinkgpu.embeddings.EmbeddingTables;

import org.apache.arrow.memory.util.MemoryUtil;

/**
 * Combines the vectors of bags as they come, id after id. Float by float: nothing is fused or reordered. A NaN that
 * arithmetic gave is written as {@link Float#NaN} is, as its bits are up to the processor; one that was only copied
 * keeps its bits.
 */
final class BagCombiner {

    private final EmbeddingTable[] tables;

    /** Of each table what a missing id gives; null where it is skipped. */
    private final float[][] missing;

    private final long[] nanWeights;
    private final float[] sum;
    private final float[] vector;

    /** Of a batch; the next three are of the bag that is open. */
    private Bags bags;

    private LookupResult result;
    private long output;
    private int values;
    private int bag;
    private int used;

    BagCombiner(EmbeddingTables stored) {
        int size = stored.size();
        tables = new EmbeddingTable[size];
        missing = new float[size][];
        nanWeights = new long[size];
        int most = 0;
        for (int i = 0; i < size; i++) {
            tables[i] = stored.table(i).table();
            missing[i] = tables[i].missing().values(tables[i].dimension());
            most = Math.max(most, tables[i].dimension());
        }
        sum = new float[most];
        vector = new float[most];
    }

    /** The most values that bags may give. */
    long room(Bags of) {
        long room = 0;
        int ids = 0;
        for (int i = 0; i < of.count; i++) {
            boolean isCombined = EmbeddingPlan.combiner(of.bag[i]) != Combiner.NONE;
            long vectors = isCombined ? 1 : of.idEnd[i] - ids;
            room += vectors * tables[of.table(i)].dimension();
            ids = of.idEnd[i];
        }
        return room;
    }

    /** Starts a batch. */
    void start(Bags newBags, LookupResult newResult) {
        bags = newBags;
        result = newResult;
        output = newResult.address();
        values = 0;
        bag = 0;
        used = 0;
    }

    /**
     * Adds ids of the batch, the next ones.
     *
     * @param sources has the addresses of their vectors, 0 for a missing one
     * @param firstSource of the first
     */
    void add(int from, int to, long[] sources, int firstSource) {
        int next = from;
        while (next < to) {
            while (next >= bags.idEnd[bag]) {
                endBag();
            }
            int end = Math.min(to, bags.idEnd[bag]);
            addOfBag(next, end, sources, firstSource + next - from);
            next = end;
        }
    }

    private void addOfBag(int from, int to, long[] sources, int firstSource) {
        int number = bags.table(bag);
        EmbeddingTable table = tables[number];
        Combiner combiner = EmbeddingPlan.combiner(bags.bag[bag]);
        boolean isPlain = table.type() == ElementType.F32 && bags.weights[bag] == 0;
        for (int i = from; i < to; i++) {
            long source = sources[firstSource + i - from];
            if (source != 0 && isPlain && combiner == Combiner.NONE) {
                MemoryUtil.copyMemory(source, output, table.vectorBytes());
                advance(table.dimension());
            } else if (source != 0 && isPlain && used > 0) {
                addPlain(combiner, source, table.dimension());
            } else if (source != 0 || missing[number] != null) {
                addVector(number, combiner, source, i);
            }
        }
    }

    /** The usual case, without a copy. */
    private void addPlain(Combiner combiner, long source, int dimension) {
        if (combiner == Combiner.MAX) {
            for (int k = 0; k < dimension; k++) {
                float value = plain(source, k);
                sum[k] = value > sum[k] ? value : sum[k];
            }
        } else {
            for (int k = 0; k < dimension; k++) {
                sum[k] += plain(source, k);
            }
        }
        used++;
    }

    private static float plain(long source, int k) {
        return Float.intBitsToFloat(MemoryUtil.getInt(source + (long) Float.BYTES * k));
    }

    private void addVector(int number, Combiner combiner, long source, int id) {
        int dimension = tables[number].dimension();
        if (source == 0) {
            System.arraycopy(missing[number], 0, vector, 0, dimension);
        } else {
            Elements.widen(tables[number].type(), source, vector, dimension);
        }
        if (bags.weights[bag] != 0) {
            multiply(number, dimension, id);
        }
        combine(combiner, dimension);
    }

    private void multiply(int number, int dimension, int id) {
        long address = bags.weights[bag] + (long) Float.BYTES * id;
        float weight = Float.intBitsToFloat(MemoryUtil.getInt(address));
        if (Float.isNaN(weight)) {
            nanWeights[number]++;
        }
        for (int k = 0; k < dimension; k++) {
            vector[k] *= weight;
        }
    }

    private void combine(Combiner combiner, int dimension) {
        switch (combiner) {
            case NONE -> {
                write(vector, dimension, isComputed(combiner));
                advance(dimension);
            }
            case SUM, MEAN -> {
                for (int k = 0; k < dimension; k++) {
                    sum[k] = (used == 0 ? 0 : sum[k]) + vector[k];
                }
            }
            case MAX -> {
                for (int k = 0; k < dimension; k++) {
                    if (used == 0 || vector[k] > sum[k]) {
                        sum[k] = vector[k];
                    }
                }
            }
        }
        used++;
    }

    private void endBag() {
        Combiner combiner = EmbeddingPlan.combiner(bags.bag[bag]);
        if (combiner != Combiner.NONE) {
            int dimension = tables[bags.table(bag)].dimension();
            for (int k = 0; k < dimension; k++) {
                if (used == 0) {
                    sum[k] = 0;
                } else if (combiner == Combiner.MEAN) {
                    sum[k] /= used;
                }
            }
            write(sum, dimension, isComputed(combiner));
            advance(dimension);
        }
        used = 0;
        bag++;
        result.endBag(values);
    }

    /** Whether the values of the open bag come of arithmetic. */
    private boolean isComputed(Combiner combiner) {
        return combiner == Combiner.SUM
                || combiner == Combiner.MEAN
                || bags.weights[bag] != 0
                || tables[bags.table(bag)].type() == ElementType.INT8;
    }

    private void write(float[] source, int dimension, boolean isComputed) {
        for (int k = 0; k < dimension; k++) {
            int bits =
                    isComputed
                            ? Float.floatToIntBits(source[k])
                            : Float.floatToRawIntBits(source[k]);
            MemoryUtil.putInt(output + (long) Float.BYTES * k, bits);
        }
    }

    private void advance(int dimension) {
        output += (long) Float.BYTES * dimension;
        values += dimension;
    }

    /** Ends the last bags, which may have no ids. */
    void end() {
        while (bag < bags.count) {
            endBag();
        }
    }

    /** How many weights of a table's ids were no numbers since the last call. */
    long takeNanWeights(int table) {
        long taken = nanWeights[table];
        nanWeights[table] = 0;
        return taken;
    }
}
