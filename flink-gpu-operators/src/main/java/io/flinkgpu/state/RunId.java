package io.flinkgpu.state;

import org.apache.flink.annotation.Internal;

/**
 * Which groups a {@link GroupRun} has. Of the runs of a key group, span and layer the later ones replace
 * groups of the earlier; those of several layers are added.
 *
 * @param startMillis the first millisecond of the span
 * @param endMillis the first millisecond after it
 * @param layer numbered from 0
 * @param sequence numbered from 0
 */
@Internal
public record RunId(long startMillis, long endMillis, int layer, int sequence) {}
