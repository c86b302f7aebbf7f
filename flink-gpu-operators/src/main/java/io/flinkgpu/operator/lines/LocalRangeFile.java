package io.flinkgpu.operator.lines;

import org.apache.arrow.memory.util.MemoryUtil;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** A file of this machine: the kernel copies its bytes to where they belong, and nobody else does. */
final class LocalRangeFile implements RangeFile {

    /** Between two steps a read can be interrupted. */
    private static final int STEP_BYTES = 64 << 20;

    private final FileChannel channel;

    LocalRangeFile(Path path) throws IOException {
        channel = FileChannel.open(path, StandardOpenOption.READ);
    }

    @Override
    public int read(long position, byte[] target, int length) throws IOException {
        return read(position, ByteBuffer.wrap(target, 0, length));
    }

    @Override
    public int read(long position, long address, int length) throws IOException {
        return read(position, MemoryUtil.directBuffer(address, length));
    }

    private int read(long position, ByteBuffer target) throws IOException {
        int length = target.limit();
        while (target.position() < length) {
            target.limit((int) Math.min(length, (long) target.position() + STEP_BYTES));
            if (channel.read(target, position + target.position()) < 0) {
                break;
            }
        }
        return target.position();
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
