package io.flinkgpu.backend;

import io.flinkgpu.testkit.TestRequests;
import io.flinkgpu.backend.cpu.CpuBackend;

/**
 * Covers: CpuTables.
 */
class CpuResidentContractTest extends ResidentContract {

    @Override
    protected Backend open() {
        return CpuBackend.open(TestRequests.of(256L << 20));
    }
}
