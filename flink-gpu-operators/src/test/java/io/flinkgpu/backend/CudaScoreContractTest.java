package io.flinkgpu.backend;

import org.junit.jupiter.api.Tag;

/**
 * Covers: DeviceScorer.
 */
@Tag("gpu")
class CudaScoreContractTest extends ScoreContract {

    @Override
    protected Backend open() throws BackendException {
        return CudaRedactionContractTest.openOrSkip();
    }
}
