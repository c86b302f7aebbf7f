package io.flinkgpu.backend.cuda;

import org.apache.arrow.memory.util.MemoryUtil;

import jcuda.Pointer;

/** Host memory by its address, as JCuda wants it. Owns nothing. */
final class HostPointer extends Pointer {

    HostPointer() {}

    HostPointer(long address) {
        super(address);
    }

    long address() {
        long address = getNativePointer();
        return address != 0 ? address : MemoryUtil.getByteBufferAddress(getByteBuffer());
    }
}
