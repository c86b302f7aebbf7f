package io.flinkgpu.backend.cuda.device;

import io.flinkgpu.backend.FatalDeviceException;

import org.apache.flink.annotation.Internal;

import org.apache.arrow.memory.util.MemoryUtil;

/**
 * Checks what came back from a device before anything is read by it: a number that is wrong by one bit would
 * have the host read, and emit, memory that is not the batch's. What fails costs the process, like any
 * other fault of a device. Pure: calls no driver.
 */
@Internal
public final class ResultCheck {

    private static final String REMEDY =
            "; the device gave back something else than the result of the batch: look for its errors with"
                    + " nvidia-smi -q and dmesg, and use another one";

    private ResultCheck() {}

    /** Checks that it was this batch's header that was copied back. */
    public static void requireNumber(int expected, int found) throws FatalDeviceException {
        if (found != expected) {
            throw failure("the number of a batch", "expected=" + expected + ", found=" + found);
        }
    }

    /** Checks a number of things, or where one of them is. */
    public static void requireBetween(String what, long least, long most, long found)
            throws FatalDeviceException {
        if (found < least || found > most) {
            throw failure(what, "least=" + least + ", most=" + most + ", found=" + found);
        }
    }

    /**
     * Checks where texts are: the first at 0, each after the previous one, the last at the end.
     *
     * @param address of {@code rows + 1} int32 offsets
     * @param separatorBytes that each text has at least
     * @param dataBytes of all texts
     */
    public static void requireOffsets(
            String what, long address, int rows, int separatorBytes, long dataBytes)
            throws FatalDeviceException {
        int first = MemoryUtil.getInt(address);
        int previous = first;
        // Its sign says whether one was too small; a loop without branches is several times as
        // fast.
        long signs = 0;
        for (int row = 1; row <= rows; row++) {
            int next = MemoryUtil.getInt(address + 4L * row);
            signs |= (long) next - previous - separatorBytes;
            previous = next;
        }
        if (first != 0 || signs < 0 || previous != dataBytes) {
            throw failure(
                    "the offsets of " + what,
                    "rows="
                            + rows
                            + ", first="
                            + first
                            + ", rising="
                            + (signs >= 0)
                            + ", last="
                            + previous
                            + ", dataBytes="
                            + dataBytes);
        }
    }

    /**
     * Checks places that rise strictly.
     *
     * @param address of the int32 places
     * @param end what all are less than
     */
    public static void requireRising(String what, long address, int count, long end)
            throws FatalDeviceException {
        int previous = -1;
        for (int i = 0; i < count; i++) {
            int next = MemoryUtil.getInt(address + 4L * i);
            if (next <= previous || next >= end) {
                throw failure(what, "index=" + i + ", found=" + next + ", end=" + end);
            }
            previous = next;
        }
    }

    private static FatalDeviceException failure(String what, String numbers) {
        return new FatalDeviceException("wrong in a result: " + what + ": " + numbers + REMEDY);
    }
}
