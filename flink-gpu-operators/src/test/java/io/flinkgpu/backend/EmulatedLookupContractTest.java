package io.flinkgpu.backend;

import io.flinkgpu.backend.cuda.table.EmulatedTable;

/** The contract of lookups, kept by the kernels' own source on the CPU. */
class EmulatedLookupContractTest extends LookupContract {

    @Override
    protected Backend open() throws Exception {
        return new EmulatedTable(-1);
    }
}
