package io.flinkgpu.backend;

import io.flinkgpu.backend.cpu.CpuBackend;
import io.flinkgpu.testkit.TestRequests;

/**
 * Covers: CpuAggregation, GroupSums, ValueColumn, BatchSlots, BatchTable.
 */
class CpuAggregationContractTest extends AggregationContract {

    @Override
    protected Backend open() {
        return CpuBackend.open(TestRequests.of(256L << 20));
    }
}
