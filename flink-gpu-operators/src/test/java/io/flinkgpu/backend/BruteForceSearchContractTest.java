package io.flinkgpu.backend;

/**
 * That what {@link SearchContract} expects is what the oracle finds.
 *
 * <p>Covers: BruteForceSearchBackend.
 */
class BruteForceSearchContractTest extends SearchContract {

    @Override
    protected Backend open() {
        return new BruteForceSearchBackend();
    }

    @Override
    protected int randomCorpora() {
        return 1;
    }
}
