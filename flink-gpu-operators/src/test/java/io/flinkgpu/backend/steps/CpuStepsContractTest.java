package io.flinkgpu.backend.steps;

import io.flinkgpu.backend.Backend;
import io.flinkgpu.backend.TestRequests;
import io.flinkgpu.backend.cpu.CpuBackend;

class CpuStepsContractTest extends StepsContract {

    @Override
    protected Backend open() {
        return CpuBackend.open(TestRequests.of(256L << 20));
    }
}
