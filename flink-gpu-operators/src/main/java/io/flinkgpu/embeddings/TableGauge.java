package io.flinkgpu.embeddings;

import org.apache.flink.annotation.Internal;

/** A number that is watched of a table; all but the first four and the quantiles count since the
 * program was compiled. */
@Internal
public enum TableGauge {

    /** That there are after all changes. */
    VECTORS("vectors"),

    /** Bytes of its vectors in memory of the host. */
    HOST_BYTES("hostBytes"),

    /** The version of its base file; 0 without one. */
    BASE_VERSION("baseVersion"),

    /** The checksum of its base file; 0 without one. */
    BASE_CHECKSUM("baseChecksum"),

    /** Ids that were looked up. */
    LOOKUPS("lookups"),

    /** Different ids that were looked up in a batch and found, summed over the batches. */
    UNIQUE("unique"),

    /** Ids that were looked up and not found. */
    MISSING("missing"),

    /** Ids whose vectors were in memory of a device. */
    DEVICE_HITS("deviceHits"),

    /** Ids whose vectors were in memory of the host. */
    HOST_HITS("hostHits"),

    /** Ids whose vectors were in a file. */
    DISK_HITS("diskHits"),

    /** Vectors that were read from a file. */
    DISK_READS("diskReads"),

    /** Nanoseconds that batches waited for files. */
    DISK_WAIT("diskWaitNanos"),

    /** The median of the last 512 waits for files, in nanoseconds; 0 without any. */
    DISK_WAIT_P50("diskWaitP50Nanos"),

    /** What 99 of 100 of them took at most. */
    DISK_WAIT_P99("diskWaitP99Nanos"),

    /** Bytes that a device read from memory of the host. */
    LINK_BYTES("linkBytes"),

    /** Vectors that left memory of a device for others. */
    EVICTIONS("evictions"),

    /** Weights that are no number. */
    NAN_WEIGHTS("nanWeights");

    private final String metric;

    TableGauge(String metric) {
        this.metric = metric;
    }

    /** The name of the metric, in the group of its table. */
    public String metric() {
        return metric;
    }

    /** The name among the gauges of a program. */
    public String of(String table) {
        return metric + " of " + table;
    }
}
