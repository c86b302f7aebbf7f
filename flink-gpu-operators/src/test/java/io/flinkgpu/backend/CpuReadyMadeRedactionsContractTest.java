package io.flinkgpu.backend;

import io.flinkgpu.backend.cpu.CpuBackend;
import io.flinkgpu.testkit.TestRequests;

/**
 * Covers: CpuTransform.
 */
class CpuReadyMadeRedactionsContractTest extends ReadyMadeRedactionsContract {

    @Override
    protected Backend open() {
        return CpuBackend.open(TestRequests.of(256L << 20));
    }
}
