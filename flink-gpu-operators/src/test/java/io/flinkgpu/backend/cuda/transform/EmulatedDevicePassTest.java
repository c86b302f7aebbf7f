package io.flinkgpu.backend.cuda.transform;

import io.flinkgpu.backend.Backend;
import io.flinkgpu.backend.PassContract;
import io.flinkgpu.backend.cuda.redact.EmulatedBackend;

/**
 * The contract of passes over texts, kept by the kernel's own source where no window has room for them.
 *
 * <p>Covers: CudaTransform.
 */
class EmulatedDevicePassTest extends PassContract {

    @Override
    protected Backend open() throws Exception {
        return new EmulatedBackend(1 << 20, true);
    }
}
