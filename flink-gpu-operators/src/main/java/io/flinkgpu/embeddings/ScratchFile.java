package io.flinkgpu.embeddings;

import org.apache.arrow.memory.util.MemoryUtil;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** A file for changed vectors that memory has no room for; gone when it is closed. */
final class ScratchFile implements AutoCloseable {

    private final FileChannel channel;
    private final int vectorBytes;

    ScratchFile(String directory, int vectorBytes) throws IOException {
        Path path = Files.createTempFile(Path.of(directory), "flink-gpu-vectors", ".tmp");
        channel =
                FileChannel.open(
                        path,
                        StandardOpenOption.READ,
                        StandardOpenOption.WRITE,
                        StandardOpenOption.DELETE_ON_CLOSE);
        this.vectorBytes = vectorBytes;
    }

    /** Writes a vector at a place, in place of another one. */
    void write(long place, long address) throws IOException {
        ByteBuffer source = MemoryUtil.directBuffer(address, vectorBytes);
        for (long at = offset(place); source.hasRemaining(); ) {
            at += channel.write(source, at);
        }
    }

    long offset(long place) {
        return place * vectorBytes;
    }

    FileChannel channel() {
        return channel;
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
