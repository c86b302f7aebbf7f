package io.flinkgpu.operator.lookup;

import org.apache.flink.annotation.Internal;

import java.io.Serializable;

/**
 * How a lookup orders requests and changes, and what becomes of its state. Travels in the job graph.
 *
 * @param isEventTime whether requests and changes wait for the watermark
 * @param rebase when tables get new base files
 */
@Internal
public record LookupMode(boolean isEventTime, RebasePolicy rebase) implements Serializable {

    private static final long serialVersionUID = 1L;
}
