package io.flinkgpu.backend;

import io.flinkgpu.backend.cpu.CpuBackend;

class CpuRedactionsContractTest extends RedactionsContract {

    @Override
    protected Backend open() {
        return CpuBackend.open(256L << 20);
    }
}
