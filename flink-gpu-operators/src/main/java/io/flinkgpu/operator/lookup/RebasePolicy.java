package io.flinkgpu.operator.lookup;

import org.apache.flink.annotation.Internal;

import java.io.Serializable;

/**
 * When a table gets a new base file: as its job starts from state, with at least so many changes. Travels in the job
 * graph.
 *
 * @param directory where files are written, the same on all machines; null for never
 */
@Internal
public record RebasePolicy(String directory, long minChanges) implements Serializable {

    private static final long serialVersionUID = 1L;

    public static final RebasePolicy NEVER = new RebasePolicy(null, Long.MAX_VALUE);
}
