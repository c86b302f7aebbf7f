package io.flinkgpu.backend;

import io.flinkgpu.testkit.TestRequests;
import io.flinkgpu.backend.cpu.CpuBackend;

/**
 * Covers: CpuRedaction, PartMatches, RecordFinish, TextRows.
 */
class CpuRedactionContractTest extends RedactionContract {

    @Override
    protected Backend open() {
        return CpuBackend.open(TestRequests.of(256L << 20));
    }
}
