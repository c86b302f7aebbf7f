package io.flinkgpu.backend.cuda.search;

import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.cuda.device.LaunchConfig;

import org.apache.arrow.memory.util.MemoryUtil;

/** Documents of a device's tiles that died, for the kernel that records it. */
final class DeathList {

    /** In a list at most. */
    static final int MOST = Staging.MOST_BYTES / SearchAbi.SEARCH_DEATH_BYTES;

    private final long[] addresses;
    private final long[] changes;
    private int count;

    /**
     * @param most that are added
     */
    DeathList(int most) {
        addresses = new long[most];
        changes = new long[most];
    }

    /**
     * A document died.
     *
     * @param address of the device, where it is kept when
     * @param change by which
     */
    void add(long address, long change) {
        addresses[count] = address;
        changes[count++] = change;
    }

    int count() {
        return count;
    }

    /** What the list takes on the device. */
    long bytes() {
        return (long) SearchAbi.SEARCH_DEATH_BYTES * count;
    }

    /**
     * Enqueues the copy of the list, and that it is recorded.
     *
     * @param address of the device, for the list
     * @param args host address of room for the kernel's parameter
     */
    void record(long address, Staging staging, SearchQueue queue, long args)
            throws BackendException {
        long host = staging.room(address, bytes());
        for (int i = 0; i < count; i++, host += SearchAbi.SEARCH_DEATH_BYTES) {
            MemoryUtil.putLong(host + SearchAbi.SEARCH_DEATH_DIED, addresses[i]);
            MemoryUtil.putLong(host + SearchAbi.SEARCH_DEATH_CHANGE, changes[i]);
        }
        staging.send();
        MemoryUtil.putLong(args + SearchAbi.SEARCH_DIE_ARGS_DEATHS, address);
        MemoryUtil.putLong(args + SearchAbi.SEARCH_DIE_ARGS_COUNT, count);
        queue.launch(
                SearchKernel.DIE,
                LaunchConfig.of(count, SearchAbi.SEARCH_THREADS, SearchAbi.SEARCH_THREADS),
                args);
    }
}
