package io.flinkgpu;

import io.flinkgpu.api.BackendChoice;
import io.flinkgpu.backend.Backend;
import io.flinkgpu.backend.BackendException;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Which backend a choice opens, on machines with and without a GPU. */
class BackendsTest {

    private static final long LIMIT_BYTES = 16 << 20;

    @Test
    void cpuIsTheCpu() throws BackendException {
        try (Backend backend = Backends.of(BackendChoice.CPU).open(LIMIT_BYTES, 0)) {
            assertThat(backend.isGpu()).isFalse();
            assertThat(backend.allocator().getLimit()).isEqualTo(LIMIT_BYTES);
        }
    }

    @Test
    void autoIsCudaWhereCudaOpensAndElseTheCpu() throws BackendException {
        boolean cuda = opensCuda();
        try (Backend backend = Backends.of(BackendChoice.AUTO).open(LIMIT_BYTES, 0)) {
            assertThat(backend.isGpu()).isEqualTo(cuda);
        }
        if (!cuda) {
            assertThatThrownBy(() -> Backends.of(BackendChoice.CUDA).open(LIMIT_BYTES, 0))
                    .isInstanceOf(BackendException.class)
                    .message()
                    .endsWith("; choose BackendChoice.AUTO or CPU to run without a GPU")
                    .doesNotContain("\n");
        }
    }

    private static boolean opensCuda() {
        try (Backend backend = Backends.of(BackendChoice.CUDA).open(LIMIT_BYTES, 0)) {
            return backend.isGpu();
        } catch (BackendException e) {
            return false;
        }
    }
}
