package io.flinkgpu.backend.cuda.lookup;

import io.flinkgpu.api.lookup.EmbeddingTable;

/**
 * What a vector of a table takes where the device reads it: a power of two of at least 32 bytes, or whole lines of
 * 128, so that no two share a line and each starts with one.
 *
 * @param vectorBytes of its elements
 * @param stride from one vector to the next
 */
record VectorShape(int vectorBytes, int stride) {

    static VectorShape of(EmbeddingTable table) {
        int bytes = table.vectorBytes();
        int line = LookupAbi.LOOKUP_LINE_BYTES;
        int stride =
                bytes > line
                        ? (bytes + line - 1) / line * line
                        : Math.max(
                                LookupAbi.LOOKUP_LEAST_STRIDE,
                                Integer.highestOneBit(2 * bytes - 1));
        return new VectorShape(bytes, stride);
    }

    /** Of staging that a vector takes. */
    int lines() {
        return (stride + LookupAbi.LOOKUP_LINE_BYTES - 1) / LookupAbi.LOOKUP_LINE_BYTES;
    }
}
