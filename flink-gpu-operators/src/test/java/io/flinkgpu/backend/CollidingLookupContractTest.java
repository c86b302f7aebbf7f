package io.flinkgpu.backend;

import io.flinkgpu.backend.cuda.table.EmulatedTable;

/** Texts whose hashes are mostly the same cost time and nothing else. */
class CollidingLookupContractTest extends LookupContract {

    @Override
    protected Backend open() throws Exception {
        return new EmulatedTable(0x0700_0003);
    }
}
