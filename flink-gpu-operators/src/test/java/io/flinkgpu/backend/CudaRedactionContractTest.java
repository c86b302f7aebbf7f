package io.flinkgpu.backend;

import io.flinkgpu.backend.cuda.CudaBackend;
import io.flinkgpu.testkit.TestRequests;

import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;

/**
 * Covers: CudaRedaction.
 */
@Tag("gpu")
public class CudaRedactionContractTest extends RedactionContract {

    @Override
    protected Backend open() throws BackendException {
        return openOrSkip();
    }

    /** With {@code -Dgpu.required=true} a missing GPU fails; else it skips. */
    public static Backend openOrSkip() throws BackendException {
        try {
            return CudaBackend.open(TestRequests.of(256L << 20));
        } catch (BackendException | LinkageError e) {
            if (Boolean.getBoolean("gpu.required")) {
                throw e;
            }
            return Assumptions.abort("no GPU: " + e.getMessage());
        }
    }
}
