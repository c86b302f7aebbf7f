package io.flinkgpu.backend;

import org.junit.jupiter.api.Tag;

@Tag("gpu")
class CudaStepsContractTest extends StepsContract {

    @Override
    protected Backend open() throws BackendException {
        return CudaBackendContractTest.openOrSkip();
    }
}
