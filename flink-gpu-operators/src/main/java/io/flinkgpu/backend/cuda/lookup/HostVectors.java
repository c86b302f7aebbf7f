package io.flinkgpu.backend.cuda.lookup;

import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.cuda.device.CloseStack;

import java.util.ArrayList;
import java.util.List;

/**
 * The vectors of a table with the least indexes, in host memory that kernels read: in chunks of a power of two of
 * vectors, so that they can grow.
 */
final class HostVectors implements AutoCloseable {

    private static final long LEAST_CHUNK_BYTES = 4L << 20;
    private static final long MOST_CHUNK_BYTES = 1L << 30;

    /** Chunks that a base file takes, at least. */
    private static final int CHUNKS = 64;

    private final VectorShape shape;
    private final LookupMemory memory;
    private final Budget budget;
    private final int chunkShift;
    private final List<LookupMemory.HostPiece> chunks = new ArrayList<>();
    private final CloseStack resources = new CloseStack();
    private long capacity;

    /**
     * @param expected how many vectors there are at first
     */
    HostVectors(VectorShape shape, LookupMemory memory, Budget budget, long expected) {
        this.shape = shape;
        this.memory = memory;
        this.budget = budget;
        long least = Math.min(LEAST_CHUNK_BYTES, budget.freeBytes() / CHUNKS) / shape.stride();
        long wanted = Math.max(least, (expected + CHUNKS - 1) / CHUNKS);
        long most = Math.max(1, MOST_CHUNK_BYTES / shape.stride());
        chunkShift = Long.SIZE - 1 - Long.numberOfLeadingZeros(Math.max(1, Math.min(most, wanted)));
    }

    /** Vectors that there is room for. */
    long capacity() {
        return capacity;
    }

    int chunkShift() {
        return chunkShift;
    }

    List<LookupMemory.HostPiece> chunks() {
        return chunks;
    }

    long bytes() {
        return capacity * shape.stride();
    }

    /**
     * Makes room for more vectors, as many as a chunk has, or as the budget lets.
     *
     * @return false if there is none
     */
    boolean grow() throws BackendException {
        return grow(1L << chunkShift);
    }

    /** The same for at most so many, after which it does not grow if that is less than a chunk. */
    boolean grow(long most) throws BackendException {
        long perChunk = 1L << chunkShift;
        boolean endsWithPart = (capacity & perChunk - 1) != 0;
        long vectors = Math.min(Math.min(perChunk, most), budget.freeBytes() / shape.stride());
        if (vectors <= 0 || endsWithPart || !budget.take(vectors * shape.stride())) {
            return false;
        }
        chunks.add(resources.push(memory.takeHost(vectors * shape.stride())));
        capacity += vectors;
        return true;
    }

    private LookupMemory.HostPiece chunk(long index) {
        return chunks.get((int) (index >>> chunkShift));
    }

    private long offset(long index) {
        return (index & (1L << chunkShift) - 1) * shape.stride();
    }

    /** Where a vector is for kernels. */
    long deviceAddress(long index) {
        return chunk(index).deviceAddress() + offset(index);
    }

    /** Puts the bytes of a vector, without those up to its stride. */
    void write(long index, long source) {
        chunk(index).write(offset(index), source, shape.vectorBytes());
    }

    /** Puts vectors that are one after another, on both sides. */
    void writeAll(long first, int count, long source) {
        boolean isPadded = shape.stride() != shape.vectorBytes();
        for (int done = 0; done < count; ) {
            long index = first + done;
            long left = (1L << chunkShift) - (index & (1L << chunkShift) - 1);
            int some = isPadded ? 1 : (int) Math.min(left, count - done);
            long from = source + (long) shape.vectorBytes() * done;
            chunk(index).write(offset(index), from, (long) shape.vectorBytes() * some);
            done += some;
        }
    }

    void read(long index, long target) {
        chunk(index).read(offset(index), target, shape.vectorBytes());
    }

    /** Copies vectors that are one after another, each with the bytes up to its stride. */
    void readAll(long first, long target, long bytes) {
        long done = 0;
        while (done < bytes) {
            long index = first + done / shape.stride();
            long left = ((1L << chunkShift) - (index & (1L << chunkShift) - 1)) * shape.stride();
            long some = Math.min(left, bytes - done);
            chunk(index).read(offset(index), target + done, some);
            done += some;
        }
    }

    @Override
    public void close() {
        resources.close();
    }
}
