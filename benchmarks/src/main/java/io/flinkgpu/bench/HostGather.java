package io.flinkgpu.bench;

import io.flinkgpu.api.lookup.Bag;
import io.flinkgpu.api.lookup.LookupRequest;
import io.flinkgpu.backend.cuda.lookup.MeasuredLink;
import io.flinkgpu.embeddings.EmbeddingTables;
import io.flinkgpu.embeddings.Location;
import io.flinkgpu.embeddings.StoredTable;

import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.memory.util.MemoryUtil;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * What a lookup is compared with: threads find a batch's vectors on the host and copy them one after another to pinned
 * memory, and a plain copy brings them to the device. Each vector is there once; what it takes to find out which those
 * are is not counted.
 */
final class HostGather implements AutoCloseable {

    private static final long HOST_BYTES = 64L << 30;

    private final RootAllocator allocator = new RootAllocator();
    private final EmbeddingTables tables;
    private final ExecutorService threads;
    private final int threadCount;

    /** Null: there is no device, and nothing is copied to one. */
    private final MeasuredLink link;

    HostGather(LookupData data, int threadCount, MeasuredLink link) throws IOException {
        tables =
                new EmbeddingTables(
                        data.tables(), HOST_BYTES, allocator, System.getProperty("java.io.tmpdir"));
        threads = Executors.newFixedThreadPool(threadCount);
        this.threadCount = threadCount;
        this.link = link;
    }

    /** The different ids of requests, and the table of each. */
    record Ids(int[] tables, long[] ids) {

        static Ids of(LookupData data, List<LookupRequest> requests) {
            Set<List<Long>> all = new LinkedHashSet<>();
            for (LookupRequest request : requests) {
                for (Bag bag : request.bags()) {
                    long table = Long.parseLong(bag.table().substring(1));
                    for (long id : bag.ids()) {
                        all.add(List.of(table, id));
                    }
                }
            }
            int[] ofTables = new int[all.size()];
            long[] ids = new long[all.size()];
            int count = 0;
            for (List<Long> id : all) {
                ofTables[count] = Math.toIntExact(id.get(0));
                ids[count++] = id.get(1);
            }
            return new Ids(ofTables, ids);
        }
    }

    /**
     * Microseconds of the gather and the copy.
     *
     * @param target pinned memory, if there is a device
     */
    double run(Ids ids, long target) throws Exception {
        long start = System.nanoTime();
        int count = ids.ids.length;
        if (threadCount == 1) {
            gather(ids, target, 0, count);
        } else {
            List<Future<?>> parts = new ArrayList<>();
            for (int i = 0; i < threadCount; i++) {
                int from = (int) ((long) count * i / threadCount);
                int to = (int) ((long) count * (i + 1) / threadCount);
                parts.add(threads.submit(() -> gather(ids, target, from, to)));
            }
            for (Future<?> part : parts) {
                part.get();
            }
        }
        if (link != null) {
            link.copy(target, (long) LookupData.VECTOR_BYTES * count);
        }
        return (System.nanoTime() - start) / 1e3;
    }

    private void gather(Ids ids, long target, int from, int to) {
        for (int i = from; i < to; i++) {
            StoredTable table = tables.table(ids.tables[i]);
            long location = table.index().find(ids.ids[i]);
            MemoryUtil.copyMemory(
                    table.address(Location.place(location)),
                    target + (long) LookupData.VECTOR_BYTES * i,
                    LookupData.VECTOR_BYTES);
        }
    }

    @Override
    public void close() {
        threads.shutdownNow();
        tables.close();
        allocator.close();
    }
}
