package io.flinkgpu.backend;

import io.flinkgpu.backend.cuda.search.EmulatedSearch;

/** The contract of searches, kept by the kernels' own source on the CPU. */
class EmulatedSearchContractTest extends SearchContract {

    @Override
    protected Backend open() throws Exception {
        return EmulatedSearch.scanning();
    }

    @Override
    protected int randomCorpora() {
        return Integer.getInteger("search.corpora", 2);
    }
}
