package io.flinkgpu.source;

import org.apache.flink.api.common.io.compression.Bzip2InputStreamFactory;
import org.apache.flink.api.common.io.compression.InflaterInputStreamFactory;
import org.apache.flink.core.fs.FSDataInputStream;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;

/**
 * What a compressed file has, which may be several streams one after another: parallel compressors
 * write such files, and files are appended to others. Flink's bzip2 ends after the first stream, and the
 * JDK's gzip wherever the file system's stream does not say that there is more.
 */
final class StoredStreams extends InputStream {

    private final InflaterInputStreamFactory<?> decompressor;
    private final Stored stored;
    private InputStream stream;

    /**
     * @param file closed with this
     * @param fileBytes how many it has
     */
    StoredStreams(
            InflaterInputStreamFactory<?> decompressor, FSDataInputStream file, long fileBytes)
            throws IOException {
        this.decompressor = decompressor;
        this.stored = new Stored(file, fileBytes);
        this.stream = decompressor.create(stored);
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
        while (read < 0 && decompressor instanceof Bzip2InputStreamFactory && stored.hasMore()) {
            stream = decompressor.create(stored);
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

    /** The file's bytes, which bzip2 takes one at a time. */
    private static final class Stored extends BufferedInputStream {

        private static final int BUFFER_BYTES = 64 << 10;

        private final FSDataInputStream file;
        private final long fileBytes;

        Stored(FSDataInputStream file, long fileBytes) {
            super(file, BUFFER_BYTES);
            this.file = file;
            this.fileBytes = fileBytes;
        }

        @Override
        public synchronized int available() throws IOException {
            return hasMore() ? Math.max(1, super.available()) : super.available();
        }

        private synchronized boolean hasMore() throws IOException {
            return pos < count || file.getPos() < fileBytes;
        }
    }
}
