package io.flinkgpu.backend;

import io.flinkgpu.backend.cuda.CudaBackend;

import org.junit.jupiter.api.Tag;

@Tag("gpu")
class CudaBackendContractTest extends BackendContract {

    @Override
    protected Backend open() throws Exception {
        return CudaBackend.open(256L << 20, 0);
    }
}
