package io.flinkgpu.backend;

import org.junit.jupiter.api.Tag;

/**
 * Covers: CudaSearch.
 */
@Tag("gpu")
class CudaLargeSearchContractTest extends LargeSearchContract {

    @Override
    protected Backend open() throws BackendException {
        return CudaRedactionContractTest.openOrSkip();
    }
}
