package io.flinkgpu.backend;

import io.flinkgpu.testkit.TestRequests;
import io.flinkgpu.backend.cpu.CpuBackend;

/**
 * Covers: CpuEmbeddings, BagCombiner, BagLookup, cpu.lookup.DiskVectors, cpu.lookup.LookupResult.
 */
class CpuEmbeddingContractTest extends EmbeddingContract {

    @Override
    protected Backend open() {
        return CpuBackend.open(TestRequests.of(256L << 20));
    }
}
