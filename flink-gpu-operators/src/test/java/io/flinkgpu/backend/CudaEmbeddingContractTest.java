package io.flinkgpu.backend;

import org.junit.jupiter.api.Tag;

/**
 * Covers: CudaEmbeddings.
 */
@Tag("gpu")
class CudaEmbeddingContractTest extends EmbeddingContract {

    @Override
    protected Backend open() throws BackendException {
        return CudaRedactionContractTest.openOrSkip();
    }
}
