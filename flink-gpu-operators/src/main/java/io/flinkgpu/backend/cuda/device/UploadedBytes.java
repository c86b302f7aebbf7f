package io.flinkgpu.backend.cuda.device;

import io.flinkgpu.backend.BackendException;

import org.apache.flink.annotation.Internal;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.OutOfMemoryException;
import org.apache.arrow.memory.util.MemoryUtil;

/** Bytes that stay on the device as they are while programs need them. The caller closes it. */
@Internal
public final class UploadedBytes implements AutoCloseable {

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
                ArrowBuf staging = memory.columns().buffer(bytes.length)) {
            MemoryUtil.copyToMemory(bytes, 0, staging.memoryAddress(), bytes.length);
            try {
                stream.copyToDevice(buffer.address(), staging.memoryAddress(), bytes.length);
            } finally {
                // Also of a copy that failed half way: the device may read what was enqueued.
                stream.drain();
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
