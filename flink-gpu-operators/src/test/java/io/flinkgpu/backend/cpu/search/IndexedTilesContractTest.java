package io.flinkgpu.backend.cpu.search;

/**
 * All queries are searched for along the indexes of tiles.
 *
 * <p>Covers: CpuSearch.
 */
class IndexedTilesContractTest extends SmallTilesContract {

    @Override
    SearchCost cost() {
        return new SearchCost(1, 1, 0, 0, 0, 0);
    }
}
