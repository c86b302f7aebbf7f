package io.flinkgpu.backend;

import io.flinkgpu.backend.cpu.CpuBackend;
import io.flinkgpu.testkit.TestRequests;

/**
 * Covers: CpuSearch, BitSlicedScan, CpuCorpus, IndexScan, RunningQuery, WideScan.
 */
class CpuSearchContractTest extends SearchContract {

    @Override
    protected Backend open() {
        return CpuBackend.open(TestRequests.of(256L << 20));
    }
}
