package io.flinkgpu.backend.cuda.device;

import io.flinkgpu.backend.BackendException;

import org.apache.flink.annotation.Internal;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Hands out pieces of pinned slabs that are taken once, when the arena opens. Pieces are few and large,
 * so the best-fitting free piece is taken, and free neighbours are joined.
 *
 * <p>{@link #take} and {@link #giveBack} only keep books, call no driver, and may be called by any
 * thread. The backend thread opens and closes the arena.
 */
@Internal
public final class PinnedArena implements AutoCloseable {

    /** Pieces start and end at multiples of this. */
    static final long ALIGNMENT_BYTES = 256;

    /** No address: the arena has no free piece as large as asked for. */
    static final long NONE = 0;

    private final CloseStack slabs = new CloseStack();
    private final Set<Long> slabStarts = new HashSet<>();
    private final TreeMap<Long, Long> freeByAddress = new TreeMap<>();
    private final Map<Long, Long> taken = new HashMap<>();
    private long takenBytes;

    /**
     * @param totalBytes the memory to take from the source, rounded down to the alignment
     * @param maxSlabBytes the most to take at once, a multiple of the alignment
     */
    public PinnedArena(MemorySource memory, long totalBytes, long maxSlabBytes)
            throws BackendException {
        try {
            for (long left = totalBytes & -ALIGNMENT_BYTES; left > 0; ) {
                long bytes = Math.min(left, maxSlabBytes);
                MemoryBlock slab = memory.allocate(bytes);
                slabs.push(() -> memory.free(slab));
                slabStarts.add(slab.address());
                freeByAddress.put(slab.address(), bytes);
                left -= bytes;
            }
        } catch (BackendException | RuntimeException | Error e) {
            slabs.closeAfter(e);
            throw e;
        }
    }

    /** The bytes a piece of this size really takes. */
    static long roundedBytes(long bytes) {
        return Math.max(ALIGNMENT_BYTES, (bytes + ALIGNMENT_BYTES - 1) & -ALIGNMENT_BYTES);
    }

    /** Takes a piece; {@link #NONE} if there is none as large. */
    synchronized long take(long bytes) {
        long wanted = roundedBytes(bytes);
        long bestAddress = NONE;
        long bestBytes = Long.MAX_VALUE;
        for (Map.Entry<Long, Long> piece : freeByAddress.entrySet()) {
            if (piece.getValue() >= wanted && piece.getValue() < bestBytes) {
                bestAddress = piece.getKey();
                bestBytes = piece.getValue();
            }
        }
        if (bestAddress == NONE) {
            return NONE;
        }
        freeByAddress.remove(bestAddress);
        if (bestBytes > wanted) {
            freeByAddress.put(bestAddress + wanted, bestBytes - wanted);
        }
        taken.put(bestAddress, wanted);
        takenBytes += wanted;
        return bestAddress;
    }

    /** Gives back what {@link #take} returned. */
    synchronized void giveBack(long address) {
        Long bytes = taken.remove(address);
        if (bytes == null) {
            throw new IllegalStateException(
                    "only a taken piece can be given back: address=0x" + Long.toHexString(address));
        }
        takenBytes -= bytes;
        long start = address;
        long end = address + bytes;
        Map.Entry<Long, Long> below = freeByAddress.lowerEntry(start);
        // Slabs can be neighbours by chance, but one copy must not span two of them.
        if (below != null
                && below.getKey() + below.getValue() == start
                && !slabStarts.contains(start)) {
            start = below.getKey();
        }
        Long above = slabStarts.contains(end) ? null : freeByAddress.remove(end);
        freeByAddress.put(start, (above == null ? end : end + above) - start);
    }

    synchronized long takenBytes() {
        return takenBytes;
    }

    /** The largest piece that can be taken now. */
    synchronized long largestFreeBytes() {
        return freeByAddress.values().stream().mapToLong(Long::longValue).max().orElse(0);
    }

    /**
     * Gives the slabs back to their source.
     *
     * @throws IllegalStateException if pieces are still taken, and the slabs stay then; or if the source
     *     does not take one back
     */
    @Override
    public synchronized void close() {
        if (!taken.isEmpty()) {
            throw new IllegalStateException(
                    "pinned pieces are still taken: pieces="
                            + taken.size()
                            + ", bytes="
                            + takenBytes
                            + "; close the batches first");
        }
        freeByAddress.clear();
        slabs.close();
    }
}
