package io.flinkgpu.applications;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;

/** Tables of vectors as texts and maps; shares nothing with what it judges. */
final class LookupOracle {

    private static final String[] RARE = {
        "00000000",
        "80000000",
        "00000001",
        "80000001",
        "7f800000",
        "ff800000",
        "7fc00000",
        "ff812345",
        "7f7fffff",
        "ff7fffff",
        "3f800000"
    };

    private record Table(int dimension, String type, String missing, Map<Long, float[]> vectors) {}

    private final Map<String, Table> tables = new HashMap<>();

    void add(String name, int dimension, String type, String missing) {
        tables.put(name, new Table(dimension, type, missing, new HashMap<>()));
    }

    /** Elements for a table, of which few are usual. */
    String randomElements(String name, Random random) {
        Table table = tables.get(name);
        List<String> elements = new ArrayList<>();
        for (int i = 0; i < table.dimension; i++) {
            String bits =
                    random.nextInt(3) == 0
                            ? RARE[random.nextInt(RARE.length)]
                            : "%08x".formatted(random.nextInt());
            if (table.type.equals("f16")) {
                bits = "%04x".formatted(random.nextInt(1 << 16));
            } else if (table.type.equals("bf16")) {
                bits = bits.substring(0, 4);
            }
            elements.add(bits);
        }
        return String.join(",", elements);
    }

    void put(String name, long id, String elements) {
        Table table = tables.get(name);
        String[] texts = elements.split(",");
        float[] vector = new float[texts.length];
        for (int i = 0; i < vector.length; i++) {
            vector[i] =
                    switch (table.type) {
                        case "f32" -> bits(texts[i]);
                        case "bf16" -> bits(texts[i] + "0000");
                        default -> half(Integer.parseInt(texts[i], 16));
                    };
        }
        table.vectors.put(id, vector);
    }

    void remove(String name, long id) {
        tables.get(name).vectors.remove(id);
    }

    /** The bits of what is found, with ',' between. */
    String find(String name, String combiner, List<Long> ids) {
        Table table = tables.get(name);
        List<float[]> found = new ArrayList<>();
        for (long id : ids) {
            float[] vector = table.vectors.get(id);
            if (vector != null) {
                found.add(vector);
            } else if (!table.missing.equals("skip")) {
                float[] constant = new float[table.dimension];
                String bits = table.missing.equals("zero") ? "const:0" : table.missing;
                Arrays.fill(constant, bits(bits.substring(6)));
                found.add(constant);
            }
        }
        List<Float> values = new ArrayList<>();
        if (combiner.equals("none")) {
            for (float[] vector : found) {
                for (float value : vector) {
                    values.add(value);
                }
            }
        } else {
            for (int k = 0; k < table.dimension; k++) {
                values.add(found.isEmpty() ? 0f : combined(combiner, found, k));
            }
        }
        // What was only copied keeps the bits of a NaN.
        boolean isCopied = combiner.equals("none") || combiner.equals("max");
        return values.stream()
                .map(
                        value ->
                                isCopied
                                        ? Float.floatToRawIntBits(value)
                                        : Float.floatToIntBits(value))
                .map("%08x"::formatted)
                .collect(Collectors.joining(","));
    }

    private static float combined(String combiner, List<float[]> found, int k) {
        float result = combiner.equals("max") ? found.get(0)[k] : 0f;
        for (float[] vector : found) {
            if (!combiner.equals("max")) {
                result += vector[k];
            } else if (vector[k] > result) {
                result = vector[k];
            }
        }
        return combiner.equals("mean") ? result / (float) found.size() : result;
    }

    private static float bits(String hex) {
        return Float.intBitsToFloat(Integer.parseUnsignedInt(hex, 16));
    }

    private static float half(int bits) {
        int exponent = bits >> 10 & 31;
        double fraction = bits & 1023;
        double sign = bits >> 15 == 0 ? 1 : -1;
        if (exponent == 31) {
            return bits("%08x".formatted((bits & 0x8000) << 16 | 0x7f800000 | (bits & 1023) << 13));
        }
        double value = exponent == 0 ? fraction / 1024 / 16384 : (1 + fraction / 1024);
        return (float) (sign * (exponent == 0 ? value : value * Math.pow(2, exponent - 15)));
    }
}
