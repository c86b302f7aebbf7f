package io.flinkgpu.operator.lines;

import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.fs.Path;
import org.apache.flink.core.fs.local.LocalFileSystem;

import java.io.Closeable;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.NoSuchFileException;

/** An open file that is read at any place. For one thread; the one that opens it closes it. */
interface RangeFile extends Closeable {

    /**
     * Opens a file of any file system that Flink knows.
     *
     * @throws IOException if it is not there any more, or cannot be read
     */
    static RangeFile open(String file) throws IOException {
        Path path = new Path(file);
        try {
            // Unguarded, as the guard's wrapper hides which file system it is.
            FileSystem fileSystem = FileSystem.getUnguardedFileSystem(path.toUri());
            return fileSystem instanceof LocalFileSystem local
                    ? new LocalRangeFile(local.pathToFile(path).toPath())
                    : new StreamRangeFile(path.getFileSystem().open(path));
        } catch (FileNotFoundException | NoSuchFileException e) {
            throw new IOException(
                    "an input file is gone since it was listed: file="
                            + file
                            + "; leave input files where they are until the job ends",
                    e);
        }
    }

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
}
