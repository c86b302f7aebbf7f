package io.flinkgpu.backend.cuda.device;

import jcuda.driver.CUdeviceptr;

/** Device memory whose address can be read. Owns nothing. */
final class DevicePointer extends CUdeviceptr {

    long address() {
        return getNativePointer() + getByteOffset();
    }

    /** A JCuda pointer to a device address. */
    static CUdeviceptr of(long address) {
        return new CUdeviceptr().withByteOffset(address);
    }
}
