package io.flinkgpu.applications;

import org.apache.flink.api.common.JobExecutionResult;

/** Names of the accumulators that jobs keep. */
public final class Counters {

    /** Kept by the redaction operator. */
    public static final String BYTES = "redaction.bytes";

    /** Kept by the redaction operator. */
    public static final String ROWS = "redaction.rows";

    /** Of a stream that is searched for near-duplicates. */
    static final String LINES = "duplicates.lines";

    static final String MEASURED_LINES = "stats.measured";
    static final String LINES_WITHOUT_TIME = "stats.withoutTime";
    static final String LINES_WITHOUT_LATENCY = "stats.withoutLatency";

    /** When the last line was read, in milliseconds since the epoch. */
    static final String READ_MILLIS = "search.readMillis";

    /** What was found, for a report. */
    static final String FINDINGS = "redaction.findings";

    private static final String MATCHES = "redaction.matches.";
    private static final String LATE = "late.";

    private Counters() {}

    /** Kept by the redaction operator. */
    static String matches(String rule) {
        return MATCHES + rule;
    }

    static String late(String windows) {
        return LATE + windows;
    }

    /** What a finished job counted; 0 if it never came to counting. */
    public static long count(JobExecutionResult result, String name) {
        Long count = result.getAccumulatorResult(name);
        return count == null ? 0 : count;
    }
}
