package io.flinkgpu.testkit;

import io.flinkgpu.backend.Backend;
import io.flinkgpu.backend.CudaRedactionContractTest;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The pairs of {@link FormsFuzzTest} and {@link FieldsFuzzTest} on a GPU.
 *
 * <p>Covers: ViewedRedaction.
 */
@Tag("gpu")
class CudaFormsFuzzTest {

    @Test
    void theGpuAnswersAsTheOracle() throws Exception {
        try (Backend backend = CudaRedactionContractTest.openOrSkip()) {
            FormsFuzzTest.compare(new BackendRedactor(backend, new LastCompiled(), 1, 64));
            FormsFuzzTest.compare(new BackendRedactor(backend, LastCompiled.inParts(), 1, 64));
        }
    }

    @Test
    void theGpuAnswersAsTheOracleOfFields() throws Exception {
        try (Backend backend = CudaRedactionContractTest.openOrSkip()) {
            Redactor one = new BackendRedactor(backend, new LastCompiled(), 1, 64);
            FieldsFuzzTest.compare(one, FieldsFuzzTest.SEED, FieldsFuzzTest.PAIRS);
            Redactor parts = new BackendRedactor(backend, LastCompiled.inParts(), 0, 64);
            FieldsFuzzTest.compare(parts, FieldsFuzzTest.SEED, FieldsFuzzTest.PAIRS);
        }
    }
}
