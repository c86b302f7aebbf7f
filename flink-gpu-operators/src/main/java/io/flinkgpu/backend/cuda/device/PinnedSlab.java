package io.flinkgpu.backend.cuda.device;

import java.util.BitSet;

/**
 * Host memory in units that are page-locked one by one; the last may be smaller.
 *
 * @param allocated where the allocation starts
 * @param address of the first whole page
 * @param locked units that are page-locked
 */
record PinnedSlab(long allocated, long address, long bytes, BitSet locked) {

    /** What is locked at a time. */
    static final long UNIT_BYTES = 32L << 20;

    long end() {
        return address + bytes;
    }

    int unit(long address) {
        return (int) ((address - this.address) / UNIT_BYTES);
    }

    long unitAddress(int unit) {
        return address + unit * UNIT_BYTES;
    }

    long unitBytes(int unit) {
        return Math.min(UNIT_BYTES, end() - unitAddress(unit));
    }
}
