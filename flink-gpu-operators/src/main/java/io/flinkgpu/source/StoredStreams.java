package io.flinkgpu.source;

import org.apache.flink.api.common.io.compression.Bzip2InputStreamFactory;
import org.apache.flink.api.common.io.compression.InflaterInputStreamFactory;
import org.apache.flink.core.fs.FSDataInputStream;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/**
 * What a compressed file has, which may be several streams one behind the other: parallel compressors
 * write such files, and files are appended to others. Flink's bzip2 ends behind the first stream, and the
 * JDK's gzip wherever the file system's stream does not tell that there is more.
 */
final class StoredStreams extends InputStream {

    private final InflaterInputStreamFactory<?> decompressor;
    private final FSDataInputStream stored;
    private final long storedBytes;
    private InputStream stream;

    /**
     * @param stored closed with this
     * @param storedBytes of the file
     */
    StoredStreams(
            InflaterInputStreamFactory<?> decompressor, FSDataInputStream stored, long storedBytes)
            throws IOException {
        this.decompressor = decompressor;
        this.stored = stored;
        this.storedBytes = storedBytes;
        this.stream = next();
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] target, int from, int length) throws IOException {
        int read = stream.read(target, from, length);
        // The others read on themselves, and more than a stream has.
        while (read < 0 && decompressor instanceof Bzip2InputStreamFactory && hasMore()) {
            stream = next();
            read = stream.read(target, from, length);
        }
        return read;
    }

    @Override
    public void close() throws IOException {
        try (stored) {
            stream.close();
        }
    }

    private InputStream next() throws IOException {
        return decompressor.create(
                new FilterInputStream(stored) {
                    @Override
                    public int available() throws IOException {
                        return Math.max(super.available(), hasMore() ? 1 : 0);
                    }
                });
    }

    private boolean hasMore() throws IOException {
        return stored.getPos() < storedBytes;
    }
}
