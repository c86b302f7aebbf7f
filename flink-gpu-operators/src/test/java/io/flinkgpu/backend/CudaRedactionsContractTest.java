package io.flinkgpu.backend;

import org.junit.jupiter.api.Tag;

@Tag("gpu")
class CudaRedactionsContractTest extends RedactionsContract {

    @Override
    protected Backend open() throws BackendException {
        return CudaBackendContractTest.openOrSkip();
    }
}
