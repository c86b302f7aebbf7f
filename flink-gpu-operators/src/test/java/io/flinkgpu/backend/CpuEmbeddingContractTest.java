package io.flinkgpu.backend;

import io.flinkgpu.backend.cpu.CpuBackend;
import io.flinkgpu.testkit.TestRequests;

/**
 * Covers: CpuEmbeddings, BagCombiner, BagLookup, cpu.lookup.DiskVectors, cpu.lookup.LookupResult.
 */
class CpuEmbeddingContractTest extends EmbeddingContract {

    @Override
    protected Backend open() {
        return CpuBackend.open(TestRequests.of(256L << 20));
    }
}
