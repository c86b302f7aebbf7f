package io.flinkgpu.backend.cpu.redact;

import io.flinkgpu.backend.cpu.bytes.Bytes;

import org.apache.flink.annotation.Internal;

/**
 * Tells for ranges of off-heap bytes, asked for in ascending order, whether a byte occurs in them. Reads
 * every byte once, eight at a time.
 */
@Internal
public final class ByteFinder {

    private final int wanted;
    private final long address;
    private final int length;
    private int next = -1;

    public ByteFinder(int wanted, long address, int length) {
        this.wanted = wanted;
        this.address = address;
        this.length = length;
    }

    /** Whether the byte occurs in {@code [from, to)}; {@code from} never decreases. */
    public boolean occursIn(int from, int to) {
        if (next < from) {
            next = find(from);
        }
        return next < to;
    }

    private int find(int from) {
        int found = Bytes.indexOf(address + from, length - from, wanted);
        return found < 0 ? length : from + found;
    }
}
