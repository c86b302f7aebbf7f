package io.flinkgpu.backend.cpu.search;

import io.flinkgpu.backend.Backend;
import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.ForwardingBackend;
import io.flinkgpu.backend.SearchContract;
import io.flinkgpu.backend.cpu.CpuBackend;
import io.flinkgpu.backend.plan.SearchPlan;
import io.flinkgpu.sets.Corpus;
import io.flinkgpu.sets.TileLimits;
import io.flinkgpu.testkit.TestRequests;

/**
 * The contract with tiles that are full, and sparse, after a few documents, small blocks of open ones, and few numbers of elements.
 *
 * <p>Covers: CpuSearch, Tiles.
 */
abstract class SmallTilesContract extends SearchContract {

    private static final int DOCUMENTS = 100;
    private static final int MOST_ELEMENTS = 1_024;
    private static final int BLOCK_ELEMENTS = 64;

    /** What is chosen by. */
    abstract SearchCost cost();

    @Override
    protected Backend open() {
        return new SmallTiles(cost());
    }

    @Override
    protected int randomCorpora() {
        return super.randomCorpora() / 3;
    }

    private static final class SmallTiles extends ForwardingBackend {

        private SmallTiles(SearchCost cost) {
            super(CpuBackend.open(TestRequests.of(256L << 20)));
            replace(SearchPlan.class, plan -> search(plan, cost));
        }

        private static CpuSearch search(SearchPlan plan, SearchCost cost) throws BackendException {
            TileLimits limits = new TileLimits(DOCUMENTS, 2 * MOST_ELEMENTS, 2 * MOST_ELEMENTS);
            return new CpuSearch(plan, new Corpus(limits, MOST_ELEMENTS), cost, BLOCK_ELEMENTS);
        }
    }
}
