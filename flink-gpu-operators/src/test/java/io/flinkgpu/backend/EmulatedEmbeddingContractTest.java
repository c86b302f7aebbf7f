package io.flinkgpu.backend;

import io.flinkgpu.backend.cuda.lookup.EmulatedEmbeddings;

/**
 * The contract of lookups, kept by the kernels' own source on the CPU.
 *
 * <p>Covers: CudaEmbeddings, DeviceIndex, DeviceTable, lookup.DeviceTables, FoundRows, HostVectors, LookupRun,
 * LookupSlot, Puts, VectorCache, cuda.lookup.DiskVectors.
 */
class EmulatedEmbeddingContractTest extends EmbeddingContract {

    @Override
    protected int randomTables() {
        return Integer.getInteger("lookup.tables", 6);
    }

    @Override
    protected Backend open() throws Exception {
        return EmulatedEmbeddings.open();
    }
}
