package io.flinkgpu.operator.window;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;

/** What of the heap can be reached. */
public final class LiveHeap {

    private LiveHeap() {}

    /** Collects garbage first. */
    public static long bytes() {
        MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
        memory.gc();
        memory.gc();
        return memory.getHeapMemoryUsage().getUsed();
    }
}
