package io.flinkgpu.embeddings;

import org.apache.flink.annotation.Internal;

import org.apache.arrow.memory.util.MemoryUtil;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.ArrayList;
import java.util.List;

/**
 * Positional reads of vectors that are not in memory, several at a time. Those that are near each other in a file
 * are one read, if they were added in the order of the file. Backend thread only; the threads are its own.
 */
@Internal
public final class DiskReads implements AutoCloseable {

    /** As many reads as a disk works on at a time. */
    private static final int THREADS = 32;

    /** Fewer reads than this are done by the caller. */
    private static final int MIN_READS_OF_THREAD = 4;

    /** What a disk reads anyway. */
    private static final int GAP_BYTES = 4 << 10;

    private static final int MAX_READ_BYTES = 64 << 10;

    private final Workers threads = new Workers("gpu-vectors-disk", THREADS);
    private final List<Read> reads = new ArrayList<>();
    private Read last;

    /** Parts of a file that are near each other. */
    private static final class Read {

        final FileChannel channel;
        final long from;
        long to;
        final List<Part> parts = new ArrayList<>(1);

        Read(FileChannel channel, long from) {
            this.channel = channel;
            this.from = from;
            this.to = from;
        }
    }

    private record Part(long offset, int bytes, long target) {}

    /** Adds some bytes of a file to what is to be read. */
    void add(FileChannel channel, long offset, int bytes, long target) {
        if (last == null
                || last.channel != channel
                || offset < last.to
                || offset - last.to > GAP_BYTES
                || offset + bytes - last.from > MAX_READ_BYTES) {
            last = new Read(channel, offset);
            reads.add(last);
        }
        last.parts.add(new Part(offset, bytes, target));
        last.to = offset + bytes;
    }

    /** Reads all that was added. */
    public void run() throws IOException {
        try {
            int workers = Math.max(1, Math.min(THREADS, reads.size() / MIN_READS_OF_THREAD));
            threads.run(workers, worker -> run(worker, workers));
        } finally {
            reads.clear();
            last = null;
        }
    }

    private void run(int worker, int workers) throws IOException {
        ByteBuffer block = null;
        for (int i = worker; i < reads.size(); i += workers) {
            Read read = reads.get(i);
            if (read.parts.size() == 1) {
                Part part = read.parts.get(0);
                VectorFile.readFully(read.channel, read.from, part.target, part.bytes);
                continue;
            }
            if (block == null) {
                block = ByteBuffer.allocateDirect(MAX_READ_BYTES);
            }
            block.clear().limit((int) (read.to - read.from));
            VectorFile.readFully(read.channel, read.from, block);
            long address = MemoryUtil.getByteBufferAddress(block);
            for (Part part : read.parts) {
                MemoryUtil.copyMemory(address + part.offset - read.from, part.target, part.bytes);
            }
        }
    }

    @Override
    public void close() {
        threads.close();
    }
}
