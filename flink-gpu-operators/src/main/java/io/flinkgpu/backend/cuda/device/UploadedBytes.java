package io.flinkgpu.backend.cuda.device;

import io.flinkgpu.backend.BackendException;

import org.apache.flink.annotation.Internal;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.OutOfMemoryException;
import org.apache.arrow.memory.util.MemoryUtil;

/** Bytes that stay on the device as they are while programs need them. The caller closes it. */
@Internal
public final class UploadedBytes implements AutoCloseable {

    /** At a time: tables may be larger than all memory that columns may take. */
    private static final int STEP_BYTES = 4 << 20;

    private final DeviceBuffer buffer;

    /**
     * Copies at least a byte and waits until it is there; the context is current.
     */
    public UploadedBytes(CudaMemory memory, byte[] bytes) throws BackendException {
        buffer = new DeviceBuffer(memory.kept());
        try {
            buffer.reserve(bytes.length);
            copy(memory, bytes);
        } catch (BackendException | RuntimeException | Error e) {
            try {
                close();
            } catch (BackendException suppressed) {
                e.addSuppressed(suppressed);
            }
            throw e;
        }
    }

    private void copy(CudaMemory memory, byte[] bytes) throws BackendException {
        try (CudaStream stream = new CudaStream(memory.pinned(), memory.linkNanos());
                ArrowBuf staging = memory.columns().buffer(Math.min(STEP_BYTES, bytes.length))) {
            int step;
            for (int at = 0; at < bytes.length; at += step) {
                step = Math.min(STEP_BYTES, bytes.length - at);
                MemoryUtil.copyToMemory(bytes, at, staging.memoryAddress(), step);
                try {
                    stream.copyToDevice(buffer.address() + at, staging.memoryAddress(), step);
                } finally {
                    // Also of a copy that failed half way: the device may read what was enqueued.
                    stream.drain();
                }
            }
        } catch (OutOfMemoryException e) {
            throw CudaCheck.outOfPinnedMemory(e);
        }
    }

    public long address() {
        return buffer.address();
    }

    @Override
    public void close() throws BackendException {
        buffer.close();
    }
}
