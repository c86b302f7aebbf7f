package io.flinkgpu.backend.cuda.search;

import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.Resident;
import io.flinkgpu.backend.cuda.device.CloseStack;
import io.flinkgpu.backend.cuda.device.CudaMemory;
import io.flinkgpu.backend.cuda.device.DeviceProgram;
import io.flinkgpu.backend.cuda.device.SharedDevice;
import io.flinkgpu.backend.plan.SearchPlan;
import io.flinkgpu.backend.plan.SearchedBatch;
import io.flinkgpu.column.ColumnBatch;

import org.apache.flink.annotation.Internal;

import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** Searches a {@link CudaCorpus}. */
@Internal
public final class CudaSearch extends DeviceProgram<SearchInput, SearchSlot, SearchedBatch> {

    private final CudaCorpus corpus;

    private CudaSearch(
            SharedDevice device,
            CudaMemory memory,
            CudaCorpus corpus,
            SearchPlan plan,
            Supplier<SearchCosts> costs) {
        super(
                device,
                memory,
                () -> SearchSlot.of(device, memory, corpus, plan.similarity(), costs));
        this.corpus = closeWithProgram(corpus);
    }

    public static CudaSearch of(SharedDevice device, CudaMemory memory, SearchPlan plan)
            throws BackendException {
        return of(device, memory, plan, () -> SearchCosts.H200);
    }

    /**
     * The same.
     *
     * @param costs asked for whenever queries are to be counted
     */
    static CudaSearch of(
            SharedDevice device, CudaMemory memory, SearchPlan plan, Supplier<SearchCosts> costs)
            throws BackendException {
        CudaCorpus corpus = new CudaCorpus(device, memory, plan.corpus());
        return new CudaSearch(device, memory, corpus, plan, costs);
    }

    @Override
    public List<Resident> residents() {
        return List.of(corpus);
    }

    @Override
    public Map<String, LongSupplier> gauges() {
        return corpus.tiles().gauges().all();
    }

    @Override
    protected SearchInput read(ColumnBatch batch) {
        return batch.rows() == 0 ? null : new SearchInput(batch);
    }

    @Override
    protected void start(SearchSlot slot, SearchInput input) throws BackendException {
        slot.search(input);
    }

    @Override
    protected boolean isDone(SearchSlot slot) throws BackendException {
        return slot.copied.isPast();
    }

    @Override
    protected SearchedBatch finish(SearchSlot slot, SearchInput input, CloseStack columns)
            throws BackendException {
        return slot.found();
    }

    @Override
    protected SearchedBatch nothing(ColumnBatch batch) {
        return SearchedBatch.nothing();
    }
}
