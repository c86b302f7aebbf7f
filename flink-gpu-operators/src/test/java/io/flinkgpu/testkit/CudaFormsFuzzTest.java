package io.flinkgpu.testkit;

import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.CudaRedactionContractTest;
import io.flinkgpu.backend.cuda.CudaBackend;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The pairs of {@link FormsFuzzTest} and {@link FieldsFuzzTest} on a GPU.
 *
 * <p>Covers: ViewedRedaction.
 */
@Tag("gpu")
class CudaFormsFuzzTest {

    @BeforeAll
    static void needsAGpu() throws BackendException {
        CudaRedactionContractTest.openOrSkip().close();
    }

    @Test
    void theGpuAnswersAsTheOracle() throws Exception {
        FormsFuzzTest.compare(() -> CudaBackend.open(TestRequests.of(64L << 20)));
    }

    @Test
    void theGpuAnswersAsTheOracleOfFields() throws Exception {
        FieldsFuzzTest.compare(() -> CudaBackend.open(TestRequests.of(64L << 20)));
    }
}
