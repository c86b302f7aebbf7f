package io.flinkgpu.backend.cuda.lookup;

import io.flinkgpu.embeddings.DiskReads;
import io.flinkgpu.embeddings.VectorFile;
import io.flinkgpu.embeddings.Workers;

import org.apache.arrow.memory.BufferAllocator;

import java.util.List;

/**
 * What all tables share: memory, budgets, of which base files get parts by their sizes, and the key of the hash of
 * ids.
 *
 * @param allocator of host memory that the device does not read
 * @param scratch a directory for changed vectors that host memory has no room for
 * @param reads of vectors on disk
 * @param workers load base files; not after that
 * @param baseBytes of the vectors of all base files, by their strides
 * @param hostBytes the most host memory of vectors
 * @param deviceShare the most device memory of the vectors of a base file
 */
record TableSpace(
        LookupMemory memory,
        BufferAllocator allocator,
        IdHash hash,
        String scratch,
        DiskReads reads,
        Workers workers,
        Budget hostBudget,
        Budget deviceBudget,
        long baseBytes,
        long hostBytes,
        long deviceShare) {

    /** How many vectors of a base file may be in host memory: all files have the same part of theirs there. */
    long hostVectors(long vectors, VectorShape shape) {
        if (baseBytes <= hostBytes) {
            return vectors;
        }
        double part = (double) vectors * shape.stride() / baseBytes;
        return Math.min(vectors, (long) (part * hostBytes / shape.stride()));
    }

    /** How many vectors of a base file may be in device memory. */
    long deviceVectors(long vectors, VectorShape shape) {
        return Math.min(vectors, deviceShare / shape.stride());
    }

    /**
     * What each file may have of a budget, so that as many as possible are whole: requests ask for a small table as
     * often as for a large one, and for few vectors of each most of the time.
     *
     * @param bytes of all files
     */
    static long share(List<Long> bytes, long budget) {
        long left = budget;
        List<Long> ascending = bytes.stream().sorted().toList();
        for (int i = 0; i < ascending.size(); i++) {
            long share = left / (ascending.size() - i);
            if (ascending.get(i) > share) {
                return share;
            }
            left -= ascending.get(i);
        }
        return Long.MAX_VALUE;
    }

    /** What the vectors of a file take. */
    static long bytes(VectorFile file, VectorShape shape) {
        return file == null ? 0 : file.vectors() * shape.stride();
    }
}
