package io.flinkgpu.backend;

import io.flinkgpu.backend.cuda.search.EmulatedSearch;

import org.junit.jupiter.api.Test;

/**
 * The same with small tiles that count by inverted indexes, and with samples.
 *
 * <p>Covers: CudaSearch.
 */
class InvertingSearchContractTest extends SearchContract {

    @Override
    protected Backend open() throws Exception {
        return EmulatedSearch.inverting();
    }

    @Override
    protected int randomCorpora() {
        return Integer.getInteger("search.corpora", 2);
    }

    @Test
    void findsTheBestOfManyDocuments() throws Exception {
        try (Backend backend = open()) {
            new ManyDocuments(500).check(backend);
        }
    }

    @Test
    void findsTheBestWhileATileIsSealed() throws Exception {
        try (Backend backend = open()) {
            new ManyDocuments(500).checkBesideSealing(backend, 1_000);
        }
    }

    @Test
    void findsTheBestWhileTilesAreMerged() throws Exception {
        try (Backend backend = open()) {
            new ManyDocuments(500).checkBesideMerging(backend, 1_000);
        }
    }
}
