package io.flinkgpu.backend.cuda;

import jcuda.Pointer;
import org.apache.arrow.memory.util.MemoryUtil;

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
