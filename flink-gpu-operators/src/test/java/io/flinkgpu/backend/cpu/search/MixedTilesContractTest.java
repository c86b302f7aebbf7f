package io.flinkgpu.backend.cpu.search;

/**
 * Of a batch some queries are searched for by the scan, others along the indexes.
 *
 * <p>Covers: CpuSearch.
 */
class MixedTilesContractTest extends SmallTilesContract {

    @Override
    SearchCost cost() {
        return new SearchCost(2, 1, 1, 1, 1, 2);
    }
}
