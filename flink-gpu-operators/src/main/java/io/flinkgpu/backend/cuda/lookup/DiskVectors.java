package io.flinkgpu.backend.cuda.lookup;

import io.flinkgpu.backend.BackendException;
import io.flinkgpu.embeddings.DiskReads;
import io.flinkgpu.embeddings.ScratchFile;
import io.flinkgpu.embeddings.VectorFile;

import java.io.IOException;
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
    private ScratchFile scratch;

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

    /** Adds a vector to what is to be read. */
    void read(DiskReads reads, long index, long target) {
        if (isChanged.get((int) (index - first))) {
            scratch.read(reads, index - first, target);
        } else {
            file.read(reads, index, target);
        }
    }

    /** Puts a vector's bytes in place of what was there. */
    void write(long index, long source) throws BackendException {
        try {
            if (scratch == null) {
                scratch = new ScratchFile(directory, vectorBytes);
            }
            scratch.write(index - first, source);
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
