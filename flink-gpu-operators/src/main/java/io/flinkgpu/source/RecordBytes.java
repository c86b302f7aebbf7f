package io.flinkgpu.source;

import io.flinkgpu.files.MissingFileException;

import org.apache.flink.api.common.io.compression.InflaterInputStreamFactory;
import org.apache.flink.connector.file.src.FileSourceSplit;
import org.apache.flink.connector.file.src.compression.StandardDeCompressors;
import org.apache.flink.core.fs.FSDataInputStream;
import org.apache.flink.core.fs.Path;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;

/**
 * The bytes that the records of a split are in: those of the split, and if the file may have grown what it has more
 * by the time that its listed end is read. Positions of a compressed file count decompressed bytes.
 */
final class RecordBytes implements Closeable {

    private static final long UNKNOWN = Long.MAX_VALUE;

    private final Path path;
    private final InputStream in;
    private final boolean mayGrow;
    private final long end;
    private long position;

    /** How far is read; {@link #UNKNOWN} until a compressed file has ended. */
    private long limit;

    private boolean lookedForMore;

    /**
     * @param follows whether what the file has after the split is of other splits
     * @param from where to start
     * @throws java.io.FileNotFoundException if the file is gone
     */
    RecordBytes(FileSourceSplit split, boolean follows, long from) throws IOException {
        path = split.path();
        InflaterInputStreamFactory<?> decompressor =
                StandardDeCompressors.getDecompressorForFileName(path.getName());
        position = from;
        end = decompressor == null ? split.offset() + split.length() : UNKNOWN;
        limit = end;
        mayGrow = decompressor == null && !follows;
        FSDataInputStream stored = path.getFileSystem().open(path);
        try {
            if (decompressor == null) {
                stored.seek(from);
                in = stored;
            } else {
                in = new StoredStreams(decompressor, stored, split.fileSize());
                in.skipNBytes(from);
            }
        } catch (Throwable t) {
            stored.close();
            throw t;
        }
    }

    /** Records that start before it are of the split. */
    long end() {
        return end;
    }

    /** How many bytes the file was found to have, or else {@link #end()}. */
    long limit() {
        return limit;
    }

    /** Whether there is nothing more to be read. */
    boolean isAtEnd() throws IOException {
        if (position < limit) {
            return false;
        }
        if (mayGrow && !lookedForMore) {
            lookedForMore = true;
            limit = Math.max(limit, path.getFileSystem().getFileStatus(path).getLen());
        }
        return position >= limit;
    }

    /** Whether the file has grown, so that a record which is not followed by another may grow as well. */
    boolean endsWithinRecord() {
        return limit > end;
    }

    /**
     * Reads some bytes.
     *
     * @return how many; 0 if a compressed file has ended
     * @throws MissingFileException if the file is shorter than it was
     */
    int read(byte[] to, int at, int most) throws IOException {
        int read = in.read(to, at, (int) Math.min(most, limit - position));
        if (read >= 0) {
            position += read;
            return read;
        }
        if (limit != UNKNOWN) {
            throw MissingFileException.shorter(path.toString(), limit);
        }
        limit = position;
        return 0;
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
