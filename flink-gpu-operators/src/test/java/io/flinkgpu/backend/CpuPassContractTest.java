package io.flinkgpu.backend;

import io.flinkgpu.testkit.TestRequests;
import io.flinkgpu.backend.cpu.CpuBackend;

/**
 * Covers: CpuPass, Bytes, CodePoints, BlockOps, Registers, TextConditions, TextOutput.
 */
class CpuPassContractTest extends PassContract {

    @Override
    protected Backend open() {
        return CpuBackend.open(TestRequests.of(256L << 20));
    }
}
