package io.flinkgpu.backend.steps;

import io.flinkgpu.backend.Backend;
import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.CudaRedactionContractTest;

import org.junit.jupiter.api.Tag;

/**
 * Covers: Steps.
 */
@Tag("gpu")
class CudaStepsContractTest extends StepsContract {

    @Override
    protected Backend open() throws BackendException {
        return CudaRedactionContractTest.openOrSkip();
    }
}
