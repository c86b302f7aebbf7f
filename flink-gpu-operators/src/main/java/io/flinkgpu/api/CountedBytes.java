package io.flinkgpu.api;

import org.apache.flink.annotation.Internal;
import org.apache.flink.core.memory.DataInputView;

import java.io.EOFException;
import java.io.IOException;
import java.util.Arrays;

/**
 * Reads bytes that come after their number, in state and between operators. Memory grows with the bytes that
 * are there: a number that is wrong gives an error in words and fills no heap.
 */
@Internal
public final class CountedBytes {

    /** More than this is taken in steps. */
    private static final int STEP_BYTES = 16 << 20;

    private CountedBytes() {}

    /**
     * Reads a number of 4 bytes and so many bytes.
     *
     * @param what they are, for the error
     */
    public static byte[] read(String what, DataInputView source) throws IOException {
        return read(what, source.readInt(), source);
    }

    /** Reads bytes whose number is known. */
    public static byte[] read(String what, int count, DataInputView source) throws IOException {
        return read(what, count, 0, source);
    }

    /** The same, with so many bytes more after them. */
    public static byte[] read(String what, int count, int padding, DataInputView source)
            throws IOException {
        if (count < 0 || count > Integer.MAX_VALUE - padding) {
            throw corrupt(what, "bytes=" + count, null);
        }
        int done = Math.min(count, STEP_BYTES);
        byte[] bytes = new byte[done + padding];
        try {
            source.readFully(bytes, 0, done);
            while (done < count) {
                int more = (int) Math.min(count, 2L * done);
                bytes = Arrays.copyOf(bytes, more + padding);
                source.readFully(bytes, done, more - done);
                done = more;
            }
            return bytes;
        } catch (EOFException e) {
            throw corrupt(what, "bytes=" + count + ", of which not all are there", e);
        }
    }

    /**
     * The error of what is not as it was written.
     *
     * @param what was read
     * @param found what it was instead, in numbers
     * @param cause may be null
     */
    public static IOException corrupt(String what, String found, Exception cause) {
        IOException failure =
                Errors.io(
                        "%s must be as it was written: %s; the file or the connection gave other bytes:"
                                + " restore an earlier checkpoint or savepoint",
                        what, found);
        if (cause != null) {
            failure.initCause(cause);
        }
        return failure;
    }
}
