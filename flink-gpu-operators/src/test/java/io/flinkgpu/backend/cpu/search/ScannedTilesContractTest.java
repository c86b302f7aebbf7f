package io.flinkgpu.backend.cpu.search;

/**
 * All queries are searched for by the scan.
 *
 * <p>Covers: CpuSearch.
 */
class ScannedTilesContractTest extends SmallTilesContract {

    @Override
    SearchCost cost() {
        return new SearchCost(0, 0, 1, 1, 1, 1);
    }
}
