package io.flinkgpu.bench;

import java.lang.management.ManagementFactory;

/**
 * What something took.
 *
 * @param wallSeconds from its start to its end
 * @param cpuSeconds of the whole process meanwhile, the JIT and garbage collection included
 */
record Cost(double wallSeconds, double cpuSeconds) {

    /** Something to do. */
    @FunctionalInterface
    interface Work {
        void run() throws Exception;
    }

    static Cost of(Work work) throws Exception {
        long cpu = cpuNanos();
        long start = System.nanoTime();
        work.run();
        long end = System.nanoTime();
        return new Cost((end - start) / 1e9, (cpuNanos() - cpu) / 1e9);
    }

    private static long cpuNanos() {
        return ((com.sun.management.OperatingSystemMXBean)
                        ManagementFactory.getOperatingSystemMXBean())
                .getProcessCpuTime();
    }
}
