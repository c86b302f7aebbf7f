package io.flinkgpu.embeddings;

import org.apache.flink.annotation.Internal;

import org.apache.arrow.memory.util.MemoryUtil;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** A file for changed vectors that memory has no room for; gone when it is closed. */
@Internal
public final class ScratchFile implements AutoCloseable {

    private final FileChannel channel;
    private final int vectorBytes;

    public ScratchFile(String directory, int vectorBytes) throws IOException {
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
    public void write(long place, long address) throws IOException {
        ByteBuffer source = MemoryUtil.directBuffer(address, vectorBytes);
        for (long at = offset(place); source.hasRemaining(); ) {
            at += channel.write(source, at);
        }
    }

    /** Adds a vector to what is to be read. */
    public void read(DiskReads reads, long place, long target) {
        reads.add(channel, offset(place), vectorBytes, target);
    }

    private long offset(long place) {
        return place * vectorBytes;
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
