package io.flinkgpu.backend.cuda.transform;

import io.flinkgpu.backend.Backend;
import io.flinkgpu.backend.PassContract;
import io.flinkgpu.backend.cuda.redact.EmulatedBackend;

/**
 * The contract of passes over texts, kept by the kernel's own source on the CPU.
 *
 * <p>Covers: CudaTransform, TransformArgs, TransformLayout, TransformProgram, TransformShape, TransformSlot.
 */
class EmulatedPassTest extends PassContract {

    @Override
    protected Backend open() throws Exception {
        return new EmulatedBackend(16, false);
    }
}
