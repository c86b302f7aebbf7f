package io.flinkgpu.backend;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

import static org.assertj.core.api.Assertions.assertThat;

/** Opens a backend before each test, and closes it afterwards, when it must have given back all memory. */
public abstract class OpenBackend {

    public Backend backend;

    /** Opens the backend under test; it has memory for batches of 16 MiB. */
    protected abstract Backend open() throws Exception;

    @BeforeEach
    void openBackend() throws Exception {
        backend = open();
    }

    @AfterEach
    void closeBackend() {
        if (backend != null) {
            assertThat(backend.allocator().getAllocatedMemory()).as("leaked bytes").isZero();
            backend.close();
        }
    }
}
