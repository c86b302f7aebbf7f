package io.flinkgpu.manykeys;

import java.io.Serializable;

/**
 * Rows of many keys in the order of their time, and the windows that they are in. Row {@code n} depends on
 * nothing but the seed and {@code n}. Sums of values are exact in a double.
 *
 * @param seed of the random numbers
 * @param keys how many keys there are at most
 * @param skew the exponent of Zipf's law that the keys follow; 0: all are as frequent
 * @param eachFirst whether the first rows have each key once
 * @param prefix of the names of keys
 * @param rows how many there are
 * @param rowsAMilli rows in a millisecond of event time
 * @param sizeMillis of the windows
 * @param slideMillis of the windows; the size if they are tumbling
 */
record ManyKeys(
        long seed,
        int keys,
        double skew,
        boolean eachFirst,
        String prefix,
        long rows,
        int rowsAMilli,
        long sizeMillis,
        long slideMillis)
        implements Serializable {

    private static final double UNIT = 0x1p-53;

    /** The number of the key of a row. */
    int key(long row) {
        if (eachFirst && row < keys) {
            return (int) row;
        }
        double u = (mix(seed ^ mix(row)) >>> 11) * UNIT;
        // The inverse of a distribution function that is continuous and has the tail of Zipf's law.
        double rank;
        if (skew == 0) {
            rank = u * keys;
        } else if (Math.abs(skew - 1) < 1e-9) {
            rank = Math.pow(keys + 1.0, u) - 1;
        } else {
            double power = 1 - skew;
            rank = Math.pow((Math.pow(keys + 1.0, power) - 1) * u + 1, 1 / power) - 1;
        }
        return Math.min(keys - 1, (int) rank);
    }

    double value(long row) {
        return (mix(row + seed) & 0xfffff) / 1024.0 - 100;
    }

    long time(long row) {
        return row / rowsAMilli;
    }

    String name(int key) {
        return prefix + key;
    }

    int key(String name) {
        return Integer.parseInt(name, prefix.length(), name.length(), 10);
    }

    /** The start of the last window that a time is in. */
    long lastStart(long time) {
        return time - time % slideMillis;
    }

    /** What a result is compared by. */
    static long hash(long count, double min, double mean, double max) {
        long hash = mix(count);
        hash = mix(hash ^ Double.doubleToLongBits(min));
        hash = mix(hash ^ Double.doubleToLongBits(mean));
        return mix(hash ^ Double.doubleToLongBits(max)) | 1;
    }

    /** A bijection whose results look random: the last step of SplitMix64. */
    private static long mix(long number) {
        long z = number + 0x9E3779B97F4A7C15L;
        z = (z ^ z >>> 30) * 0xBF58476D1CE4E5B9L;
        z = (z ^ z >>> 27) * 0x94D049BB133111EBL;
        return z ^ z >>> 31;
    }
}
