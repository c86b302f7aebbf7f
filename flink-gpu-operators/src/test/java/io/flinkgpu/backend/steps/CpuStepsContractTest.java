package io.flinkgpu.backend.steps;

import io.flinkgpu.backend.Backend;
import io.flinkgpu.backend.cpu.CpuBackend;

class CpuStepsContractTest extends StepsContract {

    @Override
    protected Backend open() {
        return CpuBackend.open(256L << 20);
    }
}
