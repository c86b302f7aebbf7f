package io.flinkgpu.examples;

/** Names of the accumulators that the redaction operator keeps. */
final class Counters {

    static final String BYTES = "redaction.bytes";
    static final String ROWS = "redaction.rows";
    private static final String MATCHES = "redaction.matches.";

    private Counters() {}

    static String matches(String rule) {
        return MATCHES + rule;
    }
}
