package io.flinkgpu.operator.lines;

import io.flinkgpu.files.MissingFileException;

import org.apache.flink.core.fs.FSDataInputStream;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.fs.Path;
import org.apache.flink.core.fs.local.LocalFileSystem;

import org.apache.arrow.memory.util.MemoryUtil;

import java.io.Closeable;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.NoSuchFileException;
import java.nio.file.StandardOpenOption;

/** An open file that is read at any place. For one thread; the one that opens it closes it. */
interface RangeFile extends Closeable {

    /**
     * Opens a file of any file system that Flink knows.
     *
     * @throws MissingFileException if it is not there any more
     * @throws IOException if it cannot be read
     */
    static RangeFile open(String file) throws IOException {
        Path path = new Path(file);
        try {
            // Unguarded, as the guard's wrapper hides which file system it is.
            FileSystem fileSystem = FileSystem.getUnguardedFileSystem(path.toUri());
            return fileSystem instanceof LocalFileSystem local
                    ? new Local(
                            FileChannel.open(
                                    local.pathToFile(path).toPath(), StandardOpenOption.READ))
                    : new Stored(path, path.getFileSystem().open(path));
        } catch (FileNotFoundException | NoSuchFileException e) {
            throw MissingFileException.gone(file, e);
        }
    }

    /** How many bytes the file has now. */
    long lengthBytes() throws IOException;

    /**
     * Reads bytes into an array.
     *
     * @return how many; fewer than wanted only if the file ends
     */
    int read(long position, byte[] target, int length) throws IOException;

    /**
     * Reads bytes into memory.
     *
     * @return how many; fewer than wanted only if the file ends
     */
    int read(long position, long address, int length) throws IOException;

    /** A file of this machine: the kernel copies its bytes to where they belong, and nobody else does. */
    record Local(FileChannel channel) implements RangeFile {

        /** Between two steps a read can be interrupted. */
        private static final int STEP_BYTES = 64 << 20;

        @Override
        public long lengthBytes() throws IOException {
            return channel.size();
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

    /** A file of another file system, which gives its bytes as arrays. */
    record Stored(Path path, FSDataInputStream in, byte[] step) implements RangeFile {

        private static final int STEP_BYTES = 128 << 10;

        Stored(Path path, FSDataInputStream in) {
            this(path, in, new byte[STEP_BYTES]);
        }

        @Override
        public long lengthBytes() throws IOException {
            return path.getFileSystem().getFileStatus(path).getLen();
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
}
