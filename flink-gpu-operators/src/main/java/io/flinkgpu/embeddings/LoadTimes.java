package io.flinkgpu.embeddings;

import org.apache.flink.annotation.Internal;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** How long what is done to load a base file takes, for a line of the log. */
@Internal
public final class LoadTimes {

    private static final Logger LOG = LoggerFactory.getLogger(LoadTimes.class);
    private static final long NANOS_PER_MILLI = 1_000_000;

    private final VectorFile file;
    private final StringBuilder phases = new StringBuilder();
    private long last = System.nanoTime();

    public LoadTimes(VectorFile file) {
        this.file = file;
        add("checksum", file.checkNanos());
    }

    /** Says what ended just now. */
    public void ended(String phase) {
        long now = System.nanoTime();
        add(phase, now - last);
        last = now;
    }

    private void add(String phase, long nanos) {
        phases.append(' ').append(phase).append('=').append(nanos / NANOS_PER_MILLI);
    }

    /** Writes the line. */
    public void log() {
        LOG.info("A base file is loaded: {}, milliseconds:{}", file, phases);
    }
}
