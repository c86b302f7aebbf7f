package io.flinkgpu.bench;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Memory of this process.
 *
 * @param heap bytes of the heap that are reachable
 * @param beside resident bytes beside the heap. Right where the heap is resident as a whole, which {@code
 *     -Xms} as great as {@code -Xmx} with {@code -XX:+AlwaysPreTouch} makes it.
 */
record Memory(long heap, long beside) {

    /** Collects garbage first. */
    static Memory now() throws IOException {
        MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
        memory.gc();
        memory.gc();
        long resident = 0;
        for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
            if (line.startsWith("VmRSS:")) {
                resident = Long.parseLong(line.replaceAll("\\D", "")) << 10;
            }
        }
        return new Memory(
                memory.getHeapMemoryUsage().getUsed(),
                Math.max(0, resident - memory.getHeapMemoryUsage().getCommitted()));
    }
}
