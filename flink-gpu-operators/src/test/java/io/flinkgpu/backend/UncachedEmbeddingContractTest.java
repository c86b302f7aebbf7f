package io.flinkgpu.backend;

import io.flinkgpu.backend.cuda.lookup.EmulatedEmbeddings;

/**
 * The same on a device that has no memory for caches.
 *
 * <p>Covers: CudaEmbeddings.
 */
class UncachedEmbeddingContractTest extends EmbeddingContract {

    @Override
    protected int randomTables() {
        return Integer.getInteger("lookup.tables", 4);
    }

    @Override
    protected Backend open() throws Exception {
        return EmulatedEmbeddings.withoutCaches();
    }
}
