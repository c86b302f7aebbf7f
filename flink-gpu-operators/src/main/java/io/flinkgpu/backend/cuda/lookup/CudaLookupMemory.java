package io.flinkgpu.backend.cuda.lookup;

import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.cuda.device.DeviceBudget;
import io.flinkgpu.backend.cuda.device.MappedMemory;
import io.flinkgpu.backend.cuda.device.ResidentMemory;

import org.apache.arrow.memory.util.MemoryUtil;

/**
 * Memory of a device and of its host.
 *
 * @param name of what is kept there, for errors
 */
record CudaLookupMemory(String name, DeviceBudget.Share device) implements LookupMemory {

    /**
     * One H200 in a virtual machine reads lines in no order of 256 MiB at the rate of its link, of 1 GiB at a quarter of it
     * and of 4 GiB at an eighth, whatever pages the host has them in.
     */
    private static final long TRANSLATED_BYTES = 256L << 20;

    @Override
    public Piece take(long bytes) throws BackendException {
        return piece(device.keep(name, bytes));
    }

    @Override
    public Piece takeSpare(long bytes) throws BackendException {
        ResidentMemory memory = device.keepLarge(bytes);
        return memory == null ? null : piece(memory);
    }

    private static Piece piece(ResidentMemory memory) {
        return new Piece() {
            @Override
            public long address() {
                return memory.address();
            }

            @Override
            public void close() {
                memory.close();
            }
        };
    }

    @Override
    public long translatedBytes() {
        return TRANSLATED_BYTES;
    }

    @Override
    public HostPiece takeHost(long bytes) throws BackendException {
        MappedMemory memory = new MappedMemory(bytes);
        return new HostPiece() {
            @Override
            public long deviceAddress() {
                return memory.deviceAddress();
            }

            @Override
            public void write(long offset, long source, long count) {
                MemoryUtil.copyMemory(source, memory.hostAddress() + offset, count);
            }

            @Override
            public void read(long offset, long target, long count) {
                MemoryUtil.copyMemory(memory.hostAddress() + offset, target, count);
            }

            @Override
            public void close() {
                memory.close();
            }
        };
    }
}
