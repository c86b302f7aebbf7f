package io.flinkgpu.backend;

import org.junit.jupiter.api.Tag;

@Tag("gpu")
class CudaLinesContractTest extends LinesContract {

    @Override
    protected Backend open() throws BackendException {
        return CudaRedactionContractTest.openOrSkip();
    }
}
