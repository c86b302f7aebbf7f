package io.flinkgpu.backend;

import io.flinkgpu.backend.cpu.CpuBackend;

class CpuBackendContractTest extends BackendContract {

    @Override
    protected Backend open() {
        return CpuBackend.open(256L << 20);
    }
}
