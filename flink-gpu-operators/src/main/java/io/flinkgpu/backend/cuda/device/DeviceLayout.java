package io.flinkgpu.backend.cuda.device;

import io.flinkgpu.backend.BackendException;

import org.apache.flink.annotation.Internal;

import java.util.ArrayList;
import java.util.List;

/**
 * Hands out one block of device memory from its start on, each array at a multiple of 256, and keeps which
 * of them are copied from the host. All places are offsets from the start of the block.
 */
@Internal
public final class DeviceLayout {

    private static final long ALIGNMENT_BYTES = 256;

    private final List<HostCopy> copies = new ArrayList<>();
    private long end;

    private record HostCopy(long offset, long hostAddress, long bytes) {}

    /** Takes a copy from host memory to an offset of the block. */
    @FunctionalInterface
    public interface Target {
        void copy(long offset, long hostAddress, long bytes) throws BackendException;
    }

    /** Places an array, which may have no bytes. */
    public long array(long bytes) {
        long start = end;
        end = align(end + bytes);
        return start;
    }

    /** Places an array that is copied from the host. */
    public long copied(long hostAddress, long bytes) {
        return copied(hostAddress, bytes, bytes);
    }

    /** The same with more room than what is copied. */
    public long copied(long hostAddress, long bytes, long roomBytes) {
        copies.add(new HostCopy(end, hostAddress, bytes));
        return array(roomBytes);
    }

    /** Where the next array comes: bytes so far. */
    public long end() {
        return end;
    }

    /** Copies what is copied from the host, in the order of the block. */
    public void copyIn(Target to) throws BackendException {
        for (HostCopy copy : copies) {
            to.copy(copy.offset, copy.hostAddress, copy.bytes);
        }
    }

    /** The next multiple of 256. */
    public static long align(long bytes) {
        return (bytes + ALIGNMENT_BYTES - 1) & -ALIGNMENT_BYTES;
    }
}
