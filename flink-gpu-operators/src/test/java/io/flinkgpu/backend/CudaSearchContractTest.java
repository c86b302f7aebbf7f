package io.flinkgpu.backend;

import org.junit.jupiter.api.Tag;

/**
 * Covers: CudaSearch.
 */
@Tag("gpu")
class CudaSearchContractTest extends SearchContract {

    @Override
    protected Backend open() throws BackendException {
        return CudaRedactionContractTest.openOrSkip();
    }
}
