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
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** A batch of queries under way; or of changes. */
final class SearchSlot extends BatchSlot implements SearchQueue {

    private static final int CONTROL_BYTES = 256;

    private final Map<SearchKernel, Kernel> kernels = new EnumMap<>(SearchKernel.class);
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
        kernels.put(SearchKernel.SCAN, kernel("search_scan", true));
        kernels.put(SearchKernel.SCAN_16, kernel("search_scan_16", true));
        kernels.put(SearchKernel.SCAN_8, kernel("search_scan_8", true));
        kernels.put(SearchKernel.HASH, kernel("search_hash"));
        kernels.put(SearchKernel.WIDE, kernel("search_wide", true));
        kernels.put(SearchKernel.INVERTED, kernel("search_inverted", true));
        kernels.put(SearchKernel.INDEX_COUNT, kernel("search_index_count"));
        kernels.put(SearchKernel.INDEX_SUM, kernel("search_index_sum"));
        kernels.put(SearchKernel.INDEX_PUT, kernel("search_index_put"));
        kernels.put(SearchKernel.ARRANGE, kernel("search_arrange"));
        kernels.put(SearchKernel.NEED, kernel("search_need"));
        kernels.put(SearchKernel.SELECT, kernel("search_select"));
        kernels.put(SearchKernel.DIE, kernel("search_die"));
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
    public void zero(long address, long bytes) throws BackendException {
        stream.zero(address, bytes);
    }

    @Override
    public void copyToDevice(long address, long hostAddress, long bytes) throws BackendException {
        stream.copyToDevice(address, hostAddress, bytes);
    }

    @Override
    public void copyToHost(long hostAddress, long address, long bytes) throws BackendException {
        stream.copyToHost(hostAddress, address, bytes);
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
    public int nextNumber() {
        return nextBatch();
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

    @Override
    public void await() throws BackendException {
        copied.record();
        copied.await();
    }
}
