package io.flinkgpu.operator;

import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.MetricGroup;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts the batches that take longer for lack of memory, and warns of the first of each kind. Backend
 * thread only.
 */
final class DetourMetrics {

    private static final Logger LOG = LoggerFactory.getLogger(DetourMetrics.class);

    private final Counter splitBatches;
    private final Counter cpuFallbackBatches;

    DetourMetrics(MetricGroup operatorGroup) {
        MetricGroup group = BatchMetrics.group(operatorGroup);
        splitBatches = group.counter("splitBatches");
        cpuFallbackBatches = group.counter("cpuFallbackBatches");
    }

    /** Counts a batch that did not fit into memory as a whole. */
    void split(Exception cause) {
        if (splitBatches.getCount() == 0) {
            LOG.warn(
                    "A batch runs in parts, which is slower, for lack of memory: {}. The metric"
                            + " splitBatches counts these batches; raise memoryLimitBytes or lower"
                            + " the batch policy's maxBytes to avoid them.",
                    cause.getMessage());
        }
        splitBatches.inc();
    }

    /** Counts a batch, or a part of one, that runs on the CPU instead of the device. */
    void ranOnCpu(Exception cause) {
        if (cpuFallbackBatches.getCount() == 0) {
            LOG.warn(
                    "A batch runs on the CPU, which is slower, for lack of device memory: {}. The"
                            + " metric cpuFallbackBatches counts these batches; free memory on the"
                            + " device to avoid them.",
                    cause.getMessage());
        }
        cpuFallbackBatches.inc();
    }
}
