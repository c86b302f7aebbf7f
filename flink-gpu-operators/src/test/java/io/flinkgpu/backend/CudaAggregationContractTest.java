package io.flinkgpu.backend;

import org.junit.jupiter.api.Tag;

@Tag("gpu")
class CudaAggregationContractTest extends AggregationContract {

    @Override
    protected Backend open() throws BackendException {
        return CudaRedactionContractTest.openOrSkip();
    }
}
