package io.flinkgpu.backend.cuda.aggregate;

import io.flinkgpu.backend.AggregationContract;
import io.flinkgpu.backend.Backend;
import io.flinkgpu.backend.cuda.redact.EmulatedBackend;

/**
 * The contract of aggregation, kept by the kernels' own source on the CPU.
 *
 * <p>Covers: CudaAggregation, AggregateSlot.
 */
class EmulatedAggregationTest extends AggregationContract {

    @Override
    protected Backend open() throws Exception {
        return new EmulatedBackend();
    }
}
