package io.flinkgpu.api;

import org.apache.flink.annotation.PublicEvolving;
import org.apache.flink.api.common.typeinfo.TypeInfo;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.Objects;

/**
 * Whole lines of a file, as bytes. Immutable by contract: nobody writes to {@link #bytes()} after
 * construction, so chunks cross operators without a copy.
 *
 * <p>A sink of {@code GpuStreams.redactLinesTo} is given chunks whose lines are {@link LentLines lent} to it:
 * until it returns they are chunks like all others, and afterwards if it has called {@link #bytes()}; if
 * not, asking for the lines throws an {@code IllegalStateException}.
 *
 * <p>A chunk may be a record of several lines, which a redaction takes as one text.
 *
 * <p>Lines end with {@code '\n'}; only the last line of a file may lack it. A {@code '\r'} before it
 * belongs to the line.
 */
@TypeInfo(LineChunkTypeInfo.Factory.class)
@PublicEvolving
public final class LineChunk implements Lines {

    private final String file;
    private final long offsetBytes;

    /** Null if the lines are lent. */
    private final byte[] bytes;

    /** Null if the lines are the chunk's. */
    private final LentLines lent;

    private final boolean isRecord;

    /**
     * @param file where the lines come from; for messages and grouping
     * @param offsetBytes where the chunk starts in the file
     * @param bytes the lines; the chunk owns the array from here on
     */
    public LineChunk(String file, long offsetBytes, byte[] bytes) {
        this(file, offsetBytes, bytes, false);
    }

    private LineChunk(String file, long offsetBytes, byte[] bytes, boolean isRecord) {
        this.file = Errors.present("file", file);
        this.offsetBytes = offsetBytes;
        this.bytes = Errors.present("bytes", bytes);
        this.lent = null;
        this.isRecord = isRecord;
    }

    /**
     * A chunk that is one record of one or more lines.
     *
     * @param file where it comes from
     * @param offsetBytes where it starts in the file
     * @param bytes its lines; the chunk owns the array from here on
     */
    public static LineChunk ofRecord(String file, long offsetBytes, byte[] bytes) {
        return new LineChunk(file, offsetBytes, bytes, true);
    }

    /**
     * @param file where the lines come from; for messages and grouping
     * @param offsetBytes where the chunk starts in the file
     * @param lent the lines, until it is closed
     */
    public LineChunk(String file, long offsetBytes, LentLines lent) {
        this(file, offsetBytes, lent, false);
    }

    private LineChunk(String file, long offsetBytes, LentLines lent, boolean isRecord) {
        this.file = Errors.present("file", file);
        this.offsetBytes = offsetBytes;
        this.bytes = null;
        this.lent = Errors.present("lent", lent);
        this.isRecord = isRecord;
    }

    /**
     * A chunk that is one record of one or more lines.
     *
     * @param file where it comes from
     * @param offsetBytes where it starts in the file
     * @param lent its lines, until it is closed
     */
    public static LineChunk ofRecord(String file, long offsetBytes, LentLines lent) {
        return new LineChunk(file, offsetBytes, lent, true);
    }

    @Override
    public String file() {
        return file;
    }

    @Override
    public long offsetBytes() {
        return offsetBytes;
    }

    /** Whether the lines are one record, else each is one. */
    public boolean isRecord() {
        return isRecord;
    }

    /** The lines; not to be written to. Lent ones are copied by the first call. */
    public byte[] bytes() {
        return lent == null ? bytes : lent.bytes(this);
    }

    /** How many bytes the lines have. */
    public int lengthBytes() {
        return lent == null ? bytes.length : lent.lengthBytes();
    }

    /**
     * Writes the lines, at most the length of an array at a time.
     *
     * @param step overwritten if the lines are lent; not empty
     */
    public void writeTo(OutputStream out, byte[] step) throws IOException {
        if (lent != null) {
            lent.writeTo(out, step, this);
            return;
        }
        int length;
        for (int at = 0; at < bytes.length; at += length) {
            length = Math.min(step.length, bytes.length - at);
            out.write(bytes, at, length);
        }
    }

    /** Whether its last line ends with {@code '\n'}; false if it has no lines. */
    public boolean isTerminated() {
        if (lengthBytes() == 0) {
            return false;
        }
        return lent == null ? bytes[bytes.length - 1] == '\n' : lent.isTerminated(this);
    }

    /** The same place in the file with other bytes. */
    public LineChunk withBytes(byte[] newBytes) {
        return new LineChunk(file, offsetBytes, newBytes, isRecord);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof LineChunk that
                && offsetBytes == that.offsetBytes
                && isRecord == that.isRecord
                && file.equals(that.file)
                && Arrays.equals(bytes(), that.bytes());
    }

    @Override
    public int hashCode() {
        return Objects.hash(file, offsetBytes) * 31 + Arrays.hashCode(bytes());
    }

    @Override
    public String toString() {
        return "LineChunk[" + file + "@" + offsetBytes + ", " + lengthBytes() + " bytes]";
    }
}
