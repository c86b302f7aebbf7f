package io.flinkgpu.backend.cuda.device;

import org.apache.arrow.memory.util.MemoryUtil;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/**
 * Host memory of backends that have closed, page-locked as it is, for the next ones of the same device and
 * process: to lock a GiB anew takes 0.2 s, half of a short job. A backend that finds none of its size has
 * as much given back before it takes fresh memory, so the slabs that are kept and those in use are never more than
 * were in use at once. Thread-safe.
 */
final class KeptSlabs {

    private final List<PinnedSlab> slabs = new ArrayList<>();

    synchronized void keep(PinnedSlab slab) {
        slabs.add(slab);
    }

    /** One of this size, which the caller owns; null if there is none. */
    synchronized PinnedSlab take(long bytes) {
        for (int i = slabs.size() - 1; i >= 0; i--) {
            if (slabs.get(i).bytes() == bytes) {
                return slabs.remove(i);
            }
        }
        return null;
    }

    /** Takes out the oldest, at least as many bytes in all if there are as many; the caller releases them. */
    synchronized List<PinnedSlab> takeOut(long bytes) {
        List<PinnedSlab> oldest = new ArrayList<>();
        long left = bytes;
        for (Iterator<PinnedSlab> all = slabs.iterator(); left > 0 && all.hasNext(); ) {
            PinnedSlab slab = all.next();
            all.remove();
            oldest.add(slab);
            left -= slab.bytes();
        }
        return oldest;
    }

    /** Frees all, of which the context that had them locked is gone. */
    synchronized void freeUnlocked() {
        slabs.forEach(slab -> MemoryUtil.freeMemory(slab.allocated()));
        slabs.clear();
    }
}
