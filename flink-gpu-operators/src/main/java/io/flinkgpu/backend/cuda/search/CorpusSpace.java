package io.flinkgpu.backend.cuda.search;

import io.flinkgpu.backend.cuda.device.DeviceLayout;

import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/** Divides one block of device memory: the first free piece that is large enough is taken. */
final class CorpusSpace implements SearchMemory {

    private final TreeMap<Long, Long> freeByAddress = new TreeMap<>();
    private final Map<Long, Long> taken = new HashMap<>();
    private long takenBytes;

    /**
     * @param address of the block, aligned to 256 bytes
     */
    CorpusSpace(long address, long bytes) {
        freeByAddress.put(address, bytes);
    }

    @Override
    public long take(long bytes) {
        long wanted = DeviceLayout.align(Math.max(1, bytes));
        for (Map.Entry<Long, Long> piece : freeByAddress.entrySet()) {
            long address = piece.getKey();
            long free = piece.getValue();
            if (free >= wanted) {
                freeByAddress.remove(address);
                if (free > wanted) {
                    freeByAddress.put(address + wanted, free - wanted);
                }
                taken.put(address, wanted);
                takenBytes += wanted;
                return address;
            }
        }
        return NONE;
    }

    @Override
    public void giveBack(long address) {
        long start = address;
        long bytes = taken.remove(address);
        takenBytes -= bytes;
        Map.Entry<Long, Long> below = freeByAddress.lowerEntry(start);
        if (below != null && below.getKey() + below.getValue() == start) {
            start = below.getKey();
            bytes += below.getValue();
        }
        Long above = freeByAddress.remove(start + bytes);
        freeByAddress.put(start, above == null ? bytes : bytes + above);
    }

    @Override
    public long takenBytes() {
        return takenBytes;
    }
}
