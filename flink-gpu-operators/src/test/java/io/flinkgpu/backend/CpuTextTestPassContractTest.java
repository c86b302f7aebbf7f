package io.flinkgpu.backend;

import io.flinkgpu.testkit.TestRequests;
import io.flinkgpu.backend.cpu.CpuBackend;

/**
 * Covers: CpuPass.
 */
class CpuTextTestPassContractTest extends TextTestPassContract {

    @Override
    protected Backend open() {
        return CpuBackend.open(TestRequests.of(256L << 20));
    }
}
