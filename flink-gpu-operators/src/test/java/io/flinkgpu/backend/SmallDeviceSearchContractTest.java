package io.flinkgpu.backend;

import io.flinkgpu.backend.cuda.search.EmulatedSearch;

import org.junit.jupiter.api.Test;

/**
 * The same where blocks have little shared memory: fewer queries at a time, tables in device memory.
 *
 * <p>Covers: CudaSearch.
 */
class SmallDeviceSearchContractTest extends SearchContract {

    @Override
    protected Backend open() throws Exception {
        return EmulatedSearch.withLittleSharedMemory(150);
    }

    @Override
    protected int randomCorpora() {
        return Integer.getInteger("search.corpora", 2);
    }

    @Test
    void findsTheBestOfManyDocuments() throws Exception {
        try (Backend backend = open()) {
            new ManyDocuments(100_000).check(backend);
        }
    }

    @Test
    void findsTheBestWhileATileIsSealed() throws Exception {
        try (Backend backend = open()) {
            new ManyDocuments(100_000).checkBesideSealing(backend, 1_000);
        }
    }
}
