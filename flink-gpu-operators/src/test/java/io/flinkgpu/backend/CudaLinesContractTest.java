package io.flinkgpu.backend;

import org.junit.jupiter.api.Tag;

/**
 * Covers: CudaLines.
 */
@Tag("gpu")
class CudaLinesContractTest extends LinesContract {

    @Override
    protected Backend open() throws BackendException {
        return CudaRedactionContractTest.openOrSkip();
    }
}
