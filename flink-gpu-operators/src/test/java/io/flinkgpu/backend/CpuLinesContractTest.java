package io.flinkgpu.backend;

import io.flinkgpu.backend.cpu.CpuBackend;
import io.flinkgpu.testkit.TestRequests;

/**
 * Covers: CpuLines, LineResult, KeyNumberRows, KeyNumberScanner, ShortNumbers, LineGrouper, LineScanner, BatchTable, LineValues, NumberText, UngroupedWriter.
 */
class CpuLinesContractTest extends LinesContract {

    @Override
    protected Backend open() {
        return CpuBackend.open(TestRequests.of(256L << 20));
    }
}
