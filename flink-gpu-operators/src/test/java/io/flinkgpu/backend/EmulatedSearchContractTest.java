package io.flinkgpu.backend;

import io.flinkgpu.api.search.SetQuery;
import io.flinkgpu.api.search.Similarity;
import io.flinkgpu.backend.cuda.search.EmulatedSearch;

import org.junit.jupiter.api.Test;

import static io.flinkgpu.api.search.SetChange.upsert;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * The contract of searches, kept by the kernels' own source on the CPU.
 *
 * <p>Covers: CudaSearch, SearchLaunches, SearchPass, SearchRun, SearchSlot.
 */
class EmulatedSearchContractTest extends SearchContract {

    @Override
    protected Backend open() throws Exception {
        return EmulatedSearch.scanning();
    }

    /** As memory of the host that was not written to again has it. */
    @Test
    void aResultWithTheNumberOfTheBatchBeforeIsRefused() throws Exception {
        try (EmulatedSearch device = EmulatedSearch.scanning();
                SearchTester corpus = new SearchTester(device, Similarity.MAX)) {
            corpus.apply(upsert(1, 5));
            assertThat(corpus.find(SetQuery.of(9, 5))).containsExactly("[1:1:1]");
            device.answerLate();
            assertThatThrownBy(() -> corpus.find(SetQuery.of(9, 5)))
                    .isInstanceOf(FatalDeviceException.class)
                    .hasMessageStartingWith("wrong in a result: the number of a batch: expected=");
        }
    }

    @Override
    protected int randomCorpora() {
        return Integer.getInteger("search.corpora", 2);
    }
}
