package io.flinkgpu.backend.cuda.search;

import io.flinkgpu.api.search.Similarity;
import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.cuda.device.BatchSlot;
import io.flinkgpu.backend.cuda.device.Completion;
import io.flinkgpu.backend.cuda.device.CudaMemory;
import io.flinkgpu.backend.cuda.device.DeviceBuffer;
import io.flinkgpu.backend.cuda.device.Kernel;
import io.flinkgpu.backend.cuda.device.LaunchConfig;
import io.flinkgpu.backend.cuda.device.SharedDevice;
import io.flinkgpu.backend.plan.SearchedBatch;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/** A batch of queries under way; or of changes. */
final class SearchSlot extends BatchSlot implements SearchQueue {

    private static final int CONTROL_BYTES = 256;

    private static final Set<SearchKernel> ALL_SHARED =
            Set.of(
                    SearchKernel.SCAN,
                    SearchKernel.SCAN_16,
                    SearchKernel.SCAN_8,
                    SearchKernel.WIDE,
                    SearchKernel.INVERTED);

    private final Map<SearchKernel, Kernel> kernels;
    private final DeviceBuffer work;

    /** Null where changes are applied; likewise the next one. */
    private CudaCorpus corpus;

    private SearchRun run;

    /** Where changes are applied: what they may have to wait for. */
    private final List<Completion> searches = new ArrayList<>();

    private final List<Completion> marks = new ArrayList<>();

    /** Of the corpus, that the stream has waited for. */
    private long seenVersion = -1;

    SearchSlot(SharedDevice device, CudaMemory memory) throws BackendException {
        super(device, memory, CONTROL_BYTES);
        kernels = kernels(SearchKernel.class, "search_", ALL_SHARED);
        work = newDeviceBuffer();
    }

    /** One for batches of queries. */
    static SearchSlot of(
            SharedDevice device,
            CudaMemory memory,
            CudaCorpus corpus,
            Similarity similarity,
            Supplier<SearchCosts> costs)
            throws BackendException {
        SearchSlot slot = new SearchSlot(device, memory);
        try {
            SearchShape shape = SearchShape.of(device.properties(), costs);
            slot.run = new SearchRun(slot, corpus.tiles(), shape, similarity, memory.columns());
            slot.closeWithSlot(slot.run);
            slot.corpus = corpus;
            corpus.searchedBy(slot.copied);
            return slot;
        } catch (RuntimeException | Error e) {
            slot.close();
            throw e;
        }
    }

    /** Changes have to wait for searches from here on that complete like this. */
    void searchedBy(Completion search) {
        searches.add(search);
    }

    /** Enqueues the search. */
    void search(SearchInput input) throws BackendException {
        if (seenVersion != corpus.version()) {
            corpus.ready(stream);
            seenVersion = corpus.version();
        }
        startKernels();
        run.start(input);
        endKernels();
        copied.record();
    }

    /** Waits for the search. */
    SearchedBatch found() throws BackendException {
        run.readEarlier();
        copied.await();
        return run.finish(kernelNanos());
    }

    @Override
    public long workspace(long bytes) throws BackendException {
        work.reserve(bytes);
        return work.address();
    }

    @Override
    public void launch(SearchKernel kernel, LaunchConfig shape, long args) throws BackendException {
        stream.launch(kernels.get(kernel), shape, args);
    }

    @Override
    public void waitForSearches() throws BackendException {
        for (Completion search : searches) {
            stream.waitFor(search);
        }
    }

    @Override
    public void mark(int mark) throws BackendException {
        if (mark == marks.size()) {
            marks.add(newCompletion());
        }
        marks.get(mark).record();
    }

    @Override
    public void await(int mark) throws BackendException {
        marks.get(mark).awaitEarly();
    }
}
