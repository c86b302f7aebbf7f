package io.flinkgpu.backend;

import org.junit.jupiter.api.Tag;

/**
 * Covers: CudaTransform.
 */
@Tag("gpu")
class CudaPassContractTest extends PassContract {

    @Override
    protected Backend open() throws BackendException {
        return CudaRedactionContractTest.openOrSkip();
    }
}
