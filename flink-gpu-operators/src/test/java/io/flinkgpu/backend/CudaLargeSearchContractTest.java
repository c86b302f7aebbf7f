package io.flinkgpu.backend;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Covers: CudaSearch.
 */
@Tag("gpu")
class CudaLargeSearchContractTest extends LargeSearchContract {

    @Override
    protected Backend open() throws BackendException {
        return CudaRedactionContractTest.openOrSkip();
    }

    @Test
    void findsTheBestWhileATileIsSealed() throws Exception {
        new ManyDocuments(2_000).checkBesideSealing(backend, 1 << 16);
    }

    @Test
    void findsTheBestWhileTilesAreMerged() throws Exception {
        new ManyDocuments(2_000).checkBesideMerging(backend, 1 << 16);
    }
}
