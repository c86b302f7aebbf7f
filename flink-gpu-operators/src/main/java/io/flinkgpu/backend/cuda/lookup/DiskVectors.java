package io.flinkgpu.backend.cuda.lookup;

import io.flinkgpu.backend.BackendException;
import io.flinkgpu.embeddings.VectorFile;

import org.apache.arrow.memory.util.MemoryUtil;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.BitSet;

/**
 * The vectors of a table that host memory has no room for: where the base file has them until they are changed, then
 * in a scratch file, which is gone when this is closed. Any thread may read while nobody writes.
 */
final class DiskVectors implements AutoCloseable {

    private final String table;
    private final int vectorBytes;
    private final VectorFile file;
    private final String directory;

    /** Which of them are in the scratch file, from the first one on. */
    private final BitSet isChanged = new BitSet();

    private long first;

    /** Null until it is needed. */
    private FileChannel scratch;

    /**
     * @param file the table's, which is closed with this; null if it has none
     * @param directory of the scratch file
     */
    DiskVectors(String table, int vectorBytes, VectorFile file, String directory) {
        this.table = table;
        this.vectorBytes = vectorBytes;
        this.file = file;
        this.directory = directory;
    }

    /** From which index on vectors are here. */
    void startAt(long index) {
        first = index;
    }

    /** Reads a vector's bytes. */
    void read(long index, long target) throws BackendException {
        try {
            if (!isChanged.get((int) (index - first))) {
                file.readVectors(index, 1, target);
                return;
            }
            ByteBuffer bytes = MemoryUtil.directBuffer(target, vectorBytes);
            for (long at = offset(index); bytes.hasRemaining(); ) {
                int read = scratch.read(bytes, at);
                if (read < 0) {
                    throw new IOException("the scratch file of changed vectors is too short");
                }
                at += read;
            }
        } catch (IOException e) {
            throw new BackendException(
                    "a vector cannot be read from disk: table=" + table + ", " + e.getMessage(), e);
        }
    }

    /** Puts a vector's bytes in place of what was there. */
    void write(long index, long source) throws BackendException {
        try {
            if (scratch == null) {
                Path path = Files.createTempFile(Path.of(directory), "flink-gpu-vectors", ".tmp");
                scratch =
                        FileChannel.open(
                                path,
                                StandardOpenOption.READ,
                                StandardOpenOption.WRITE,
                                StandardOpenOption.DELETE_ON_CLOSE);
            }
            ByteBuffer bytes = MemoryUtil.directBuffer(source, vectorBytes);
            for (long at = offset(index); bytes.hasRemaining(); ) {
                at += scratch.write(bytes, at);
            }
            isChanged.set((int) (index - first));
        } catch (IOException e) {
            throw new BackendException(
                    "a changed vector cannot be written: table="
                            + table
                            + ", scratch="
                            + directory
                            + ", "
                            + e.getMessage()
                            + "; make room there, or raise hostBytes",
                    e);
        }
    }

    private long offset(long index) {
        return (index - first) * vectorBytes;
    }

    @Override
    public void close() throws IOException {
        try {
            if (scratch != null) {
                scratch.close();
            }
        } finally {
            if (file != null) {
                file.close();
            }
        }
    }
}
