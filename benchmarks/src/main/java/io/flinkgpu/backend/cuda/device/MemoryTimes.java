package io.flinkgpu.backend.cuda.device;

import io.flinkgpu.backend.cuda.CudaBackend;

import org.apache.arrow.memory.util.MemoryUtil;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * How long the subtasks of a job take, all at once, for the memory of their batches: to lock fresh host
 * memory and such as they have written to, to unlock it, and to take and give back memory of their device.
 */
public final class MemoryTimes {

    private static final long HOST_BYTES = 64L << 20;

    /** As a slot of some MiB has them. */
    private static final int DEVICE_BLOCKS = 8;

    private static final long DEVICE_BYTES = 4L << 20;

    private final Map<String, Double> millis = new LinkedHashMap<>();
    private final List<CudaBackend> backends;
    private final ExecutorService threads;

    private MemoryTimes(List<CudaBackend> backends) {
        this.backends = backends;
        this.threads = Executors.newFixedThreadPool(backends.size());
    }

    /** Milliseconds until all are done, by what they do. */
    public static Map<String, Double> measure(List<CudaBackend> backends) throws Exception {
        MemoryTimes times = new MemoryTimes(backends);
        try {
            times.hostMemory(false);
            times.hostMemory(true);
            times.deviceMemory();
            return times.millis;
        } finally {
            times.threads.shutdownNow();
        }
    }

    private void hostMemory(boolean isWritten) throws Exception {
        List<PinnedMemory> pinned = new ArrayList<>();
        List<MemoryBlock> blocks = new ArrayList<>();
        for (CudaBackend backend : backends) {
            PinnedMemory memory = new PinnedMemory();
            pinned.add(memory);
            blocks.add(memory.allocate(HOST_BYTES));
        }
        String kind = isWritten ? "written" : "fresh";
        if (isWritten) {
            time("write 64 MiB", i -> write(blocks.get(i)));
        }
        time("lock 64 MiB " + kind, i -> lock(pinned.get(i), blocks.get(i)));
        time("unlock 64 MiB " + kind, i -> pinned.get(i).free(blocks.get(i)));
    }

    private static void lock(PinnedMemory memory, MemoryBlock block) throws Exception {
        for (long at = 0; at < block.bytes(); ) {
            at += memory.lock(block.address() + at, block.bytes() - at);
        }
    }

    private static void write(MemoryBlock block) {
        MemoryUtil.setMemory(block.address(), block.bytes(), (byte) 0);
    }

    private void deviceMemory() throws Exception {
        MemorySource memory = new DeviceMemory();
        List<List<MemoryBlock>> blocks = new ArrayList<>();
        backends.forEach(backend -> blocks.add(new ArrayList<>()));
        time(
                "take 8 x 4 MiB of the device",
                i -> {
                    for (int block = 0; block < DEVICE_BLOCKS; block++) {
                        blocks.get(i).add(memory.allocate(DEVICE_BYTES));
                    }
                });
        time(
                "give back 8 x 4 MiB of the device",
                i -> {
                    for (MemoryBlock block : blocks.get(i)) {
                        memory.free(block);
                    }
                });
    }

    private void time(String what, Step step) throws Exception {
        List<Callable<Void>> steps = new ArrayList<>();
        for (int i = 0; i < backends.size(); i++) {
            int subtask = i;
            steps.add(
                    () -> {
                        backends.get(subtask).device().makeCurrent();
                        step.run(subtask);
                        return null;
                    });
        }
        long start = System.nanoTime();
        for (Future<Void> done : threads.invokeAll(steps)) {
            done.get();
        }
        millis.put(what, (System.nanoTime() - start) / 1e6);
    }

    private interface Step {
        void run(int subtask) throws Exception;
    }
}
