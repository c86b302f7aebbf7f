package io.flinkgpu.operator.lines;

import org.apache.flink.core.fs.FSDataInputStream;

import org.apache.arrow.memory.util.MemoryUtil;

import java.io.IOException;

/** A file of another file system, which gives its bytes as arrays. */
final class StreamRangeFile implements RangeFile {

    private static final int STEP_BYTES = 128 << 10;

    private final FSDataInputStream in;
    private final byte[] step = new byte[STEP_BYTES];

    StreamRangeFile(FSDataInputStream in) {
        this.in = in;
    }

    @Override
    public int read(long position, byte[] target, int length) throws IOException {
        seek(position);
        return in.readNBytes(target, 0, length);
    }

    @Override
    public int read(long position, long address, int length) throws IOException {
        seek(position);
        int done = 0;
        while (done < length) {
            int read = in.read(step, 0, Math.min(step.length, length - done));
            if (read < 0) {
                break;
            }
            MemoryUtil.copyToMemory(step, 0, address + done, read);
            done += read;
        }
        return done;
    }

    private void seek(long position) throws IOException {
        if (in.getPos() != position) {
            in.seek(position);
        }
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
