package io.flinkgpu.backend.cuda.device;

import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.OpenRequest;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * True with and without a GPU.
 *
 * <p>Covers: CudaProbe.
 */
class CudaProbeTest {

    @Test
    void findsADeviceOrSaysInOneLineWhyNot() {
        // Twice: a class whose first load failed fails in another way the second time.
        for (int attempt = 0; attempt < 2; attempt++) {
            Throwable failure = catchThrowable(() -> CudaProbe.probe(OpenRequest.of(1)));
            if (failure != null) {
                assertThat(failure).isInstanceOf(BackendException.class);
                assertThat(failure.getMessage())
                        .isNotBlank()
                        .doesNotContain("\n")
                        .matches("(no CUDA |the CUDA device is too old|cuInit failed).*");
            }
        }
    }
}
