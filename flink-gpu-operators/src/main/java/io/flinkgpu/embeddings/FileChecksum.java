package io.flinkgpu.embeddings;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.zip.CRC32C;

/** The CRC-32C of files: of what a state must find again, not of what an attacker wrote. */
final class FileChecksum {

    private static final int BLOCK_BYTES = 1 << 20;

    private FileChecksum() {}

    /** Of bytes that are there. */
    static long of(FileChannel channel, long from, long to) throws IOException {
        CRC32C checksum = new CRC32C();
        update(checksum, channel, from, to);
        return checksum.getValue();
    }

    static void update(CRC32C checksum, FileChannel channel, long from, long to)
            throws IOException {
        ByteBuffer block = ByteBuffer.allocateDirect((int) Math.min(BLOCK_BYTES, to - from));
        for (long next = from; next < to; next += block.limit()) {
            block.clear().limit((int) Math.min(block.capacity(), to - next));
            VectorFile.readFully(channel, next, block);
            checksum.update(block.flip());
        }
    }
}
