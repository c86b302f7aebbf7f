package io.flinkgpu.backend;

import org.junit.jupiter.api.Tag;

@Tag("gpu")
class CudaLookupContractTest extends LookupContract {

    @Override
    protected Backend open() throws BackendException {
        return CudaRedactionContractTest.openOrSkip();
    }
}
