package io.flinkgpu.backend;

import io.flinkgpu.testkit.TestRequests;
import io.flinkgpu.backend.cpu.CpuBackend;

/**
 * Covers: CpuTransform.
 */
class CpuTransformContractTest extends TransformContract {

    @Override
    protected Backend open() {
        return CpuBackend.open(TestRequests.of(256L << 20));
    }
}
