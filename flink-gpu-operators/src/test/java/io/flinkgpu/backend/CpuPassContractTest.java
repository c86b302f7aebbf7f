package io.flinkgpu.backend;

import io.flinkgpu.backend.cpu.CpuBackend;
import io.flinkgpu.testkit.TestRequests;

/**
 * Covers: CpuPass, Bytes, CodePoints, BlockOps, Registers, TextConditions, TextOutput.
 */
class CpuPassContractTest extends PassContract {

    @Override
    protected Backend open() {
        return CpuBackend.open(TestRequests.of(256L << 20));
    }
}
