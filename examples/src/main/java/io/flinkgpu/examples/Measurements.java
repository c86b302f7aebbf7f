package io.flinkgpu.examples;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

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
    private long nextBlock;
    private long nextWritten;
    private long endBytes;
    private boolean failed;

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
        if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
            throw new FileAlreadyExistsException(file.toString());
        }
        Path part = file.resolveSibling(file.getFileName() + ".part");
        long bytes;
        FileChannel channel =
                FileChannel.open(part, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        try (channel) {
            bytes = write(channel, threads);
        } catch (IOException e) {
            Files.deleteIfExists(part);
            throw e;
        }
        Files.move(part, file);
        return bytes;
    }

    private long write(FileChannel channel, int threads) throws IOException {
        try {
            ExecutorService pool = Executors.newFixedThreadPool(threads);
            try {
                List<Future<?>> workers = new ArrayList<>();
                for (int i = 0; i < threads; i++) {
                    workers.add(
                            pool.submit(
                                    () -> {
                                        writeBlocks(channel);
                                        return null;
                                    }));
                }
                for (Future<?> worker : workers) {
                    worker.get();
                }
            } finally {
                pool.shutdownNow();
            }
            return endBytes;
        } catch (ExecutionException e) {
            throw e.getCause() instanceof IOException cause ? cause : new IOException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while writing");
        }
    }

    private void writeBlocks(FileChannel channel) throws IOException, InterruptedException {
        byte[] block = new byte[BLOCK_ROWS * MAX_ROW_BYTES];
        for (long number; (number = takeBlock()) * BLOCK_ROWS < rows; ) {
            try {
                int length = fill(block, number);
                ByteBuffer bytes = ByteBuffer.wrap(block, 0, length);
                for (long at = place(number, length); bytes.hasRemaining(); ) {
                    at += channel.write(bytes, at);
                }
            } catch (Throwable t) {
                fail();
                throw t;
            }
        }
    }

    private synchronized long takeBlock() {
        return nextBlock++;
    }

    /** Where a block goes: after the one before, which may still be made. */
    private synchronized long place(long number, int length) throws InterruptedException {
        while (nextWritten != number && !failed) {
            wait();
        }
        nextWritten++;
        endBytes += length;
        notifyAll();
        return endBytes - length;
    }

    private synchronized void fail() {
        failed = true;
        nextBlock = rows;
        notifyAll();
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
