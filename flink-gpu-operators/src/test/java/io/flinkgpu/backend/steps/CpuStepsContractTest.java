package io.flinkgpu.backend.steps;

import io.flinkgpu.backend.Backend;
import io.flinkgpu.testkit.TestRequests;
import io.flinkgpu.backend.cpu.CpuBackend;

/**
 * Covers: Steps.
 */
class CpuStepsContractTest extends StepsContract {

    @Override
    protected Backend open() {
        return CpuBackend.open(TestRequests.of(256L << 20));
    }
}
