package io.flinkgpu.applications;

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
import java.util.function.Supplier;

/** A new file of blocks in order that several threads make. */
final class BlockFile {

    /** Makes blocks; each thread has its own. */
    interface Maker {

        /** Fills the array, which is large enough for any block; returns the bytes of this one. */
        int fill(byte[] block, long number);
    }

    private final long blocks;
    private final int maxBlockBytes;
    private final Supplier<? extends Maker> makers;
    private long nextBlock;
    private long nextWritten;
    private long endBytes;
    private boolean failed;

    private BlockFile(long blocks, int maxBlockBytes, Supplier<? extends Maker> makers) {
        this.blocks = blocks;
        this.maxBlockBytes = maxBlockBytes;
        this.makers = makers;
    }

    /**
     * Writes the file, which has a name that ends with {@code .part} until it is complete.
     *
     * @param makers gives one to each thread
     * @return its bytes
     * @throws FileAlreadyExistsException if there is a file of either name; it stays as it is
     */
    static long write(
            Path file,
            long blocks,
            int maxBlockBytes,
            int threads,
            Supplier<? extends Maker> makers)
            throws IOException {
        if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
            throw new FileAlreadyExistsException(file.toString());
        }
        Path part = file.resolveSibling(file.getFileName() + ".part");
        long bytes;
        FileChannel channel =
                FileChannel.open(part, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        try (channel) {
            bytes = new BlockFile(blocks, maxBlockBytes, makers).write(channel, threads);
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
        Maker maker = makers.get();
        byte[] block = new byte[maxBlockBytes];
        for (long number; (number = takeBlock()) < blocks; ) {
            try {
                int length = maker.fill(block, number);
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
        nextBlock = blocks;
        notifyAll();
    }
}
