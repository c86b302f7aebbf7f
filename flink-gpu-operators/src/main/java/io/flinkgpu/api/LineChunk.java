package io.flinkgpu.api;

import org.apache.flink.api.common.typeinfo.TypeInfo;

import java.util.Arrays;
import java.util.Objects;

/**
 * Whole lines of a file, as bytes. Immutable by contract: nobody writes to {@link #bytes()} after
 * construction, so chunks cross operators without a copy.
 *
 * <p>Lines end with {@code '\n'}; only the last line of a file may lack it. A {@code '\r'} before it
 * belongs to the line.
 */
@TypeInfo(LineChunkTypeInfo.Factory.class)
public final class LineChunk {

    private final String file;
    private final long offsetBytes;
    private final byte[] bytes;

    /**
     * @param file where the lines come from; for messages and grouping
     * @param offsetBytes where the chunk starts in the file
     * @param bytes the lines; the chunk owns the array from here on
     */
    public LineChunk(String file, long offsetBytes, byte[] bytes) {
        this.file = Objects.requireNonNull(file, "file");
        this.offsetBytes = offsetBytes;
        this.bytes = Objects.requireNonNull(bytes, "bytes");
    }

    public String file() {
        return file;
    }

    public long offsetBytes() {
        return offsetBytes;
    }

    /** The lines; not to be written to. */
    public byte[] bytes() {
        return bytes;
    }

    /** Whether its last line ends with {@code '\n'}; false if it has no lines. */
    public boolean isTerminated() {
        return bytes.length > 0 && bytes[bytes.length - 1] == '\n';
    }

    /** The same place in the file with other bytes. */
    public LineChunk withBytes(byte[] newBytes) {
        return new LineChunk(file, offsetBytes, newBytes);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof LineChunk that
                && offsetBytes == that.offsetBytes
                && file.equals(that.file)
                && Arrays.equals(bytes, that.bytes);
    }

    @Override
    public int hashCode() {
        return Objects.hash(file, offsetBytes) * 31 + Arrays.hashCode(bytes);
    }

    @Override
    public String toString() {
        return "LineChunk[" + file + "@" + offsetBytes + ", " + bytes.length + " bytes]";
    }
}
