package io.flinkgpu.embeddings;

import org.apache.arrow.memory.util.MemoryUtil;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.zip.CRC32C;

/** The CRC-32C of files: of what a state must find again, not of what an attacker wrote. */
final class FileChecksum {

    private static final int BLOCK_BYTES = 1 << 20;
    private static final int PART_BYTES = 16 << 20;

    /** The polynomial without its highest power; as in all words here the highest bit is that of the power 0. */
    private static final int POLYNOMIAL = 0x82f63b78;

    private static final int ONE = 1 << 31;
    private static final int X = 1 << 30;

    private FileChecksum() {}

    /** Of bytes that are there. */
    static long of(FileChannel channel, long from, long to, Workers workers) throws IOException {
        int parts = Math.toIntExact((to - from + PART_BYTES - 1) / PART_BYTES);
        long[] checksums = new long[parts];
        workers.run(
                parts,
                part -> {
                    long first = from + (long) part * PART_BYTES;
                    checksums[part] = of(channel, first, Math.min(PART_BYTES, to - first));
                });
        long checksum = 0;
        for (int part = 0; part < parts; part++) {
            long bytes = Math.min(PART_BYTES, to - from - (long) part * PART_BYTES);
            checksum = joined(checksum, checksums[part], bytes);
        }
        return checksum;
    }

    private static long of(FileChannel channel, long from, long bytes) throws IOException {
        int most = (int) Math.min(BLOCK_BYTES, bytes);
        CRC32C checksum = new CRC32C();
        long address = MemoryUtil.allocateMemory(most);
        try {
            ByteBuffer block = MemoryUtil.directBuffer(address, most);
            for (long done = 0; done < bytes; done += block.limit()) {
                block.clear().limit((int) Math.min(most, bytes - done));
                VectorFile.readFully(channel, from + done, block);
                checksum.update(block.flip());
            }
        } finally {
            MemoryUtil.freeMemory(address);
        }
        return checksum.getValue();
    }

    /**
     * The checksum of bytes and others after them, from the checksums of both: a checksum is a remainder of polynomials, so
     * that of the first is multiplied by x to the number of bits that follow.
     *
     * @param bytes how many the second is of
     */
    static long joined(long first, long second, long bytes) {
        int power = ONE;
        int square = X;
        for (long bits = bytes * Byte.SIZE; bits != 0; bits >>>= 1) {
            if ((bits & 1) != 0) {
                power = product(power, square);
            }
            square = product(square, square);
        }
        return (product((int) first, power) ^ (int) second) & 0xffff_ffffL;
    }

    /** Of two polynomials, modulo the checksum's. */
    private static int product(int a, int b) {
        int product = 0;
        int shifted = b;
        for (int rest = a; rest != 0; rest <<= 1) {
            if (rest < 0) {
                product ^= shifted;
            }
            shifted = shifted >>> 1 ^ (POLYNOMIAL & -(shifted & 1));
        }
        return product;
    }
}
