package io.flinkgpu.backend.cuda.lookup;

import io.flinkgpu.embeddings.DiskReads;
import io.flinkgpu.embeddings.VectorFile;

import org.apache.arrow.memory.BufferAllocator;

/**
 * What all tables share: memory, budgets, of which base files get parts by their sizes, and the key of the hash of
 * ids.
 *
 * @param allocator of host memory that the device does not read
 * @param scratch a directory for changed vectors that host memory has no room for
 * @param reads of vectors on disk
 * @param baseBytes of the vectors of all base files, by their strides
 * @param hostBytes the most host memory of vectors
 * @param deviceBytes the most device memory of vectors
 */
record TableSpace(
        LookupMemory memory,
        BufferAllocator allocator,
        IdHash hash,
        String scratch,
        DiskReads reads,
        Budget hostBudget,
        Budget deviceBudget,
        long baseBytes,
        long hostBytes,
        long deviceBytes) {

    /** How many vectors of a base file may be in host memory. */
    long hostVectors(long vectors, VectorShape shape) {
        return part(vectors, shape, hostBytes);
    }

    /** How many vectors of a base file may be in device memory. */
    long deviceVectors(long vectors, VectorShape shape) {
        return part(vectors, shape, deviceBytes);
    }

    private long part(long vectors, VectorShape shape, long bytes) {
        if (baseBytes <= bytes) {
            return vectors;
        }
        double part = (double) vectors * shape.stride() / baseBytes;
        return Math.min(vectors, (long) (part * bytes / shape.stride()));
    }

    /** What the vectors of a file take. */
    static long bytes(VectorFile file, VectorShape shape) {
        return file == null ? 0 : file.vectors() * shape.stride();
    }
}
