package io.flinkgpu.backend;

import io.flinkgpu.backend.cuda.lookup.EmulatedEmbeddings;

/**
 * The contract of scores, kept by the kernels' own source on the CPU.
 *
 * <p>Covers: DeviceScorer.
 */
class EmulatedScoreContractTest extends ScoreContract {

    @Override
    protected Backend open() throws Exception {
        return EmulatedEmbeddings.open();
    }
}
