package io.flinkgpu.backend.cpu.aggregate;

/** Spreads keys over a table. Keys with the same bytes have the same hash; others may. */
@FunctionalInterface
interface KeyHash {

    long hash(long address, int lengthBytes);
}
