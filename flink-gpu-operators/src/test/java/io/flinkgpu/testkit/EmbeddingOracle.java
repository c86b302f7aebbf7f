package io.flinkgpu.testkit;

import io.flinkgpu.api.lookup.Bag;
import io.flinkgpu.api.lookup.Combiner;
import io.flinkgpu.api.lookup.EmbeddingTable;
import io.flinkgpu.api.lookup.LookupRequest;
import io.flinkgpu.api.lookup.LookupValues;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The definition of a lookup: maps of vectors, widened by their definition and combined one float after another;
 * shares nothing with what it judges.
 */
public final class EmbeddingOracle {

    private final Map<String, EmbeddingTable> tables = new HashMap<>();
    private final Map<String, Map<Long, byte[]>> vectors = new HashMap<>();

    public EmbeddingOracle(List<EmbeddingTable> all) {
        for (EmbeddingTable table : all) {
            tables.put(table.name(), table);
            vectors.put(table.name(), new HashMap<>());
        }
    }

    /** Inserts or replaces a vector. */
    public void put(String table, long id, byte[] elements) {
        vectors.get(table).put(id, elements);
    }

    /** Deletes a vector. */
    public void remove(String table, long id) {
        vectors.get(table).remove(id);
    }

    /** The bytes of the vectors of a table, by ids. */
    public Map<Long, byte[]> vectors(String table) {
        return vectors.get(table);
    }

    /** What a request gives. */
    public LookupValues find(LookupRequest request) {
        List<Float> values = new ArrayList<>();
        int[] ends = new int[request.bags().size()];
        for (int i = 0; i < ends.length; i++) {
            values.addAll(combined(request.bags().get(i)));
            ends[i] = values.size();
        }
        float[] all = new float[values.size()];
        for (int i = 0; i < all.length; i++) {
            all[i] = values.get(i);
        }
        return new LookupValues(all, ends);
    }

    private List<Float> combined(Bag bag) {
        EmbeddingTable table = tables.get(bag.table());
        List<float[]> used = new ArrayList<>();
        for (int i = 0; i < bag.ids().length; i++) {
            byte[] bytes = vectors.get(bag.table()).get(bag.ids()[i]);
            float[] vector = bytes == null ? missing(table) : widened(table, bytes);
            if (vector != null) {
                for (int k = 0; bag.weights() != null && k < vector.length; k++) {
                    vector[k] = bag.weights()[i] * vector[k];
                }
                used.add(vector);
            }
        }
        List<Float> result = new ArrayList<>();
        if (bag.combiner() == Combiner.NONE) {
            for (float[] vector : used) {
                for (float value : vector) {
                    result.add(value);
                }
            }
            return result;
        }
        for (int k = 0; k < table.dimension(); k++) {
            result.add(used.isEmpty() ? 0f : combined(bag.combiner(), used, k));
        }
        return result;
    }

    private static float combined(Combiner combiner, List<float[]> used, int k) {
        if (combiner == Combiner.MAX) {
            float max = used.get(0)[k];
            for (float[] vector : used) {
                max = vector[k] > max ? vector[k] : max;
            }
            return max;
        }
        float sum = 0f;
        for (float[] vector : used) {
            sum = sum + vector[k];
        }
        return combiner == Combiner.SUM ? sum : sum / (float) used.size();
    }

    private static float[] missing(EmbeddingTable table) {
        return table.missing().values(table.dimension());
    }

    private static float[] widened(EmbeddingTable table, byte[] bytes) {
        float[] vector = new float[table.dimension()];
        for (int k = 0; k < vector.length; k++) {
            vector[k] =
                    switch (table.type()) {
                        case F32 -> Float.intBitsToFloat(bits(bytes, 4 * k, 4));
                        case F16 -> half(bits(bytes, 2 * k, 2));
                        case BF16 -> Float.intBitsToFloat(bits(bytes, 2 * k, 2) * 65_536);
                        case INT8 -> {
                            float product = bytes[8 + k] * Float.intBitsToFloat(bits(bytes, 0, 4));
                            yield product + Float.intBitsToFloat(bits(bytes, 4, 4));
                        }
                    };
        }
        return vector;
    }

    private static int bits(byte[] bytes, int from, int count) {
        int bits = 0;
        for (int i = count - 1; i >= 0; i--) {
            bits = bits * 256 + (bytes[from + i] & 255);
        }
        return bits;
    }

    /** By the formula of IEEE 754, in doubles, which have all of these numbers. */
    private static float half(int bits) {
        double sign = bits < 32_768 ? 1 : -1;
        int exponent = bits / 1_024 % 32;
        int fraction = bits % 1_024;
        if (exponent == 31) {
            return fraction == 0 ? (float) (sign / 0.0) : Float.NaN;
        }
        double value =
                exponent == 0
                        ? fraction * Math.pow(2, -24)
                        : (1_024 + fraction) * Math.pow(2, exponent - 25);
        return (float) (sign * value);
    }
}
