package io.flinkgpu;

import io.flinkgpu.api.BackendChoice;
import io.flinkgpu.backend.Backend;
import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.OpenRequest;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Which backend a choice opens, on machines with and without a GPU.
 *
 * <p>Covers: Backends.
 */
class BackendsTest {

    private static final long LIMIT_BYTES = 16 << 20;

    @Test
    void cpuIsTheCpu() throws BackendException {
        try (Backend backend = Backends.of(BackendChoice.CPU).open(OpenRequest.of(LIMIT_BYTES))) {
            assertThat(backend.placement().isGpu()).isFalse();
            assertThat(backend.allocator().getLimit()).isEqualTo(LIMIT_BYTES);
        }
    }

    @Test
    void autoIsCudaWhereCudaOpensAndElseTheCpu() throws BackendException {
        boolean cuda = opensCuda();
        try (Backend backend = Backends.of(BackendChoice.AUTO).open(OpenRequest.of(LIMIT_BYTES))) {
            assertThat(backend.placement().isGpu()).isEqualTo(cuda);
        }
        if (!cuda) {
            assertThatThrownBy(
                            () -> Backends.of(BackendChoice.CUDA).open(OpenRequest.of(LIMIT_BYTES)))
                    .isInstanceOf(BackendException.class)
                    .message()
                    .endsWith("; choose BackendChoice.AUTO or CPU to run without a GPU")
                    .doesNotContain("\n");
        }
    }

    private static boolean opensCuda() {
        try (Backend backend = Backends.of(BackendChoice.CUDA).open(OpenRequest.of(LIMIT_BYTES))) {
            return backend.placement().isGpu();
        } catch (BackendException e) {
            return false;
        }
    }
}
