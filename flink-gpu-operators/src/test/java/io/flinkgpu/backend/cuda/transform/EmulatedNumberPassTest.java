package io.flinkgpu.backend.cuda.transform;

import io.flinkgpu.backend.Backend;
import io.flinkgpu.backend.NumberPassContract;
import io.flinkgpu.backend.cuda.redact.EmulatedBackend;

/**
 * The contract of passes over numbers, kept by the kernel's own source on the CPU.
 *
 * <p>Covers: CudaTransform.
 */
class EmulatedNumberPassTest extends NumberPassContract {

    @Override
    protected Backend open() throws Exception {
        return new EmulatedBackend();
    }
}
