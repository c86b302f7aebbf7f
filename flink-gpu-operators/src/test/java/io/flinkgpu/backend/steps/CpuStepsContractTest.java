package io.flinkgpu.backend.steps;

import io.flinkgpu.backend.Backend;
import io.flinkgpu.backend.cpu.CpuBackend;
import io.flinkgpu.testkit.TestRequests;

/**
 * Covers: Steps.
 */
class CpuStepsContractTest extends StepsContract {

    @Override
    protected Backend open() {
        return CpuBackend.open(TestRequests.of(256L << 20));
    }
}
