package io.flinkgpu.backend.cuda.search;

import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.CompiledProgram;
import io.flinkgpu.backend.cuda.CudaBackend;
import io.flinkgpu.backend.plan.SearchPlan;
import io.flinkgpu.backend.plan.SearchedBatch;

import java.util.List;

/** A search on a GPU whose way to count is chosen here, so that each can be measured. One thread's. */
public final class MeasuredSearch {

    /** How documents are counted. */
    public enum Way {
        /** All of them are scanned. */
        SCAN(new SearchCosts(1, 1, 0)),
        /** By inverted indexes, where there are any. */
        INVERTED(new SearchCosts(0, 0, 1)),
        /** As a search does by itself. */
        CHEAPER(SearchCosts.H200);

        private final SearchCosts costs;

        Way(SearchCosts costs) {
            this.costs = costs;
        }
    }

    private final CompiledProgram<SearchedBatch> program;
    private Way way = Way.CHEAPER;

    /**
     * @param backend stays the caller's
     */
    public MeasuredSearch(CudaBackend backend, SearchPlan plan) throws BackendException {
        program = CudaSearch.of(backend.device(), backend.memory(), plan, () -> way.costs);
    }

    /** The caller closes it. */
    public CompiledProgram<SearchedBatch> program() {
        return program;
    }

    /** How batches count from here on. */
    public void count(Way newWay) {
        way = newWay;
    }

    private DeviceCorpus corpus() {
        return ((CudaCorpus) program.residents().get(0)).tiles();
    }

    /** How many tiles have an inverted index. */
    public int indexedTiles() {
        return corpus().narrowTiles() - corpus().openTiles();
    }

    /** How many elements the documents have that a scan goes through. */
    public long scannedElements() {
        return corpus().narrowElements();
    }

    /** In how many documents the elements of sets are, each time that they are. */
    public long postings(List<int[]> sets) {
        long postings = 0;
        for (int[] set : sets) {
            for (int element : set) {
                int number = corpus().books().numbers().find(element);
                postings += number < 0 ? 0 : corpus().books().frequency(number);
            }
        }
        return postings;
    }
}
