package io.flinkgpu.bench;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Windows over a stream.
 *
 * @param name of the cell, for a command line
 * @param windows what kind they are
 * @param keys that rows are spread over, less than 2^31
 * @param rocksDb whether state is in RocksDB, and not on the heap
 * @param rows of the stream
 * @param rowsAMilli rows in a millisecond of event time, of all subtasks
 * @param watermarkMillis event time from one watermark to the next
 * @param skew the exponent of Zipf's law that the keys follow; 0: all are as frequent
 */
record KeysCell(
        String name,
        Windows windows,
        long keys,
        boolean rocksDb,
        long rows,
        long rowsAMilli,
        long watermarkMillis,
        double skew)
        implements Serializable {

    /** Kinds of windows. */
    enum Windows {
        /** Of a second. */
        TUMBLING,
        /** A tumbling window that has all rows. */
        ONE,
        /** The global window, whose results come at the end of the input. */
        GLOBAL,
        /** Of 60 s, one each second. */
        SLIDING,
        /** With a gap of 100 ms. */
        SESSION,
        /** Of 100 rows of a key. */
        COUNT,
        /** Of ten seconds, which also fire each second of event time. */
        EARLY,
        /** No windows: of each key an update at most every 100 ms by the clock. */
        RUNNING
    }

    /**
     * Whether results depend on the rows alone, and not on how subtasks take turns or on the clock. A
     * session that ends where the next begins is one with it if it has not fired yet.
     */
    boolean isRepeatable(int parallelism) {
        return switch (windows) {
            case COUNT, EARLY, SESSION -> parallelism == 1;
            case RUNNING -> false;
            default -> true;
        };
    }

    /** Those of the table in docs/lab/2026-11-23-any-number-of-keys.md. */
    static List<KeysCell> table() {
        return List.of(
                of(Windows.TUMBLING, 413, false, 40, 1000, 100),
                of(Windows.TUMBLING, 100_000, false, 20, 1000, 100),
                of(Windows.ONE, 2_000_000, false, 20, 1000, 100),
                of(Windows.ONE, 5_000_000, false, 30, 1000, 100),
                of(Windows.GLOBAL, 10_000_000, false, 30, 1000, 100),
                of(Windows.TUMBLING, 413, true, 40, 1000, 100),
                of(Windows.TUMBLING, 100_000, true, 20, 1000, 100),
                of(Windows.ONE, 2_000_000, true, 20, 1000, 100),
                of(Windows.SLIDING, 10_000, false, 4, 100, 100),
                of(Windows.SESSION, 100_000, false, 10, 1000, 10),
                of(Windows.SESSION, 100_000, true, 10, 1000, 10),
                of(Windows.COUNT, 10_000, false, 20, 1000, 100),
                of(Windows.EARLY, 10_000, false, 20, 1000, 100),
                of(Windows.EARLY, 10_000, true, 20, 1000, 100),
                of(Windows.RUNNING, 10_000, false, 20, 1000, 100),
                of(Windows.RUNNING, 100_000, false, 20, 1000, 100),
                of(Windows.RUNNING, 100_000, true, 20, 1000, 100));
    }

    /** One window by numbers of keys, a hundred to ten million. */
    static List<KeysCell> curve() {
        List<KeysCell> cells = new ArrayList<>();
        for (long keys = 100; keys <= 10_000_000; keys *= 10) {
            cells.add(of(Windows.ONE, keys, false, 20, 1000, 100));
        }
        return cells;
    }

    private static KeysCell of(
            Windows windows,
            long keys,
            boolean rocksDb,
            long millionRows,
            long rowsAMilli,
            long watermarkMillis) {
        String name =
                windows.name().toLowerCase(Locale.ROOT)
                        + "-"
                        + keys
                        + (rocksDb ? "-rocksdb" : "-heap");
        return new KeysCell(
                name,
                windows,
                keys,
                rocksDb,
                millionRows * 1_000_000,
                rowsAMilli,
                watermarkMillis,
                0);
    }

    /** The same over at most so many rows. */
    KeysCell withRows(long most) {
        return new KeysCell(
                name,
                windows,
                keys,
                rocksDb,
                Math.min(rows, most),
                rowsAMilli,
                watermarkMillis,
                skew);
    }

    /** The same over other keys, each as frequent as before. */
    KeysCell withKeys(long other) {
        return new KeysCell(
                name,
                windows,
                other,
                rocksDb,
                rows,
                Math.max(1, rowsAMilli * other / keys),
                watermarkMillis,
                skew);
    }

    /** The same with keys that are not as frequent. */
    KeysCell withSkew(double exponent) {
        return new KeysCell(
                name, windows, keys, rocksDb, rows, rowsAMilli, watermarkMillis, exponent);
    }

    /** The key of a row, by a random number. */
    long key(long random) {
        if (skew == 0) {
            return (random >>> 32) * keys >>> 32;
        }
        // The inverse of a distribution function that is continuous and has the tail of Zipf's law.
        double u = (random >>> 11) * 0x1p-53;
        double power = 1 - skew;
        double rank =
                skew == 1
                        ? Math.pow(keys + 1.0, u)
                        : Math.pow((Math.pow(keys + 1.0, power) - 1) * u + 1, 1 / power);
        return Math.min(keys - 1, (long) rank - 1);
    }
}
