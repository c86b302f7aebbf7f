package io.flinkgpu.backend.cuda.device;

import jcuda.Pointer;

/** Host memory by its address, as JCuda wants it. Owns nothing. */
final class HostPointer extends Pointer {

    HostPointer(long address) {
        super(address);
    }
}
