package io.flinkgpu.applications;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;

/**
 * Writes measurements with several threads. Each block of rows depends on the seed and its number alone,
 * so the file is the same whatever the threads.
 */
final class Measurements {

    private static final int BLOCK_ROWS = 1 << 16;

    /** The longest name, temperature and separators. */
    private static final int MAX_ROW_BYTES = 100 + 7;

    private final Stations stations;
    private final long rows;
    private final long seed;

    Measurements(int keys, long rows, long seed) {
        this.stations = new Stations(keys);
        this.rows = rows;
        this.seed = Stations.mix(seed);
    }

    /**
     * Writes them all to a new file, which has a name that ends with {@code .part} until it is complete.
     *
     * @return its bytes
     * @throws FileAlreadyExistsException if there is a file of either name; it stays as it is
     */
    long write(Path file, int threads) throws IOException {
        long blocks = (rows + BLOCK_ROWS - 1) / BLOCK_ROWS;
        return BlockFile.write(file, blocks, BLOCK_ROWS * MAX_ROW_BYTES, threads, () -> this::fill);
    }

    private int fill(byte[] block, long number) {
        long first = number * BLOCK_ROWS;
        long last = Math.min(rows, first + BLOCK_ROWS);
        int at = 0;
        for (long row = first; row < last; row++) {
            long random = Stations.mix(seed + 2 * row);
            int station = (int) ((random >>> 32) * stations.count() >>> 32);
            at = stations.copyName(station, block, at);
            block[at++] = ';';
            at = temperature(station, Stations.mix(seed + 2 * row + 1), block, at);
            block[at++] = '\n';
        }
        return at;
    }

    /** About normally distributed around the station's mean, 10 degrees wide: a sum of four parts. */
    private int temperature(int station, long random, byte[] block, int end) {
        int sum = 0;
        for (int part = 0; part < Long.SIZE; part += Short.SIZE) {
            sum += (int) (random >>> part) & 0xffff;
        }
        int tenths = stations.meanTenths(station) + (sum - 131_070) * 100 / 37_837;
        tenths = Math.max(-999, Math.min(999, tenths));
        int at = end;
        if (tenths < 0) {
            block[at++] = '-';
            tenths = -tenths;
        }
        if (tenths >= 100) {
            block[at++] = (byte) ('0' + tenths / 100);
        }
        block[at++] = (byte) ('0' + tenths / 10 % 10);
        block[at++] = '.';
        block[at++] = (byte) ('0' + tenths % 10);
        return at;
    }
}
