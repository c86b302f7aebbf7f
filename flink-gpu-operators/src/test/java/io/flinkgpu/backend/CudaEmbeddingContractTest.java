package io.flinkgpu.backend;

import org.junit.jupiter.api.Tag;

@Tag("gpu")
class CudaEmbeddingContractTest extends EmbeddingContract {

    @Override
    protected Backend open() throws BackendException {
        return CudaRedactionContractTest.openOrSkip();
    }
}
