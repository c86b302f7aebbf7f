package io.flinkgpu.source;

import org.apache.flink.api.connector.source.SourceEvent;

import java.util.Map;

/**
 * What a reader reports to the enumerator: which splits have reached it.
 *
 * @param isStart whether the reader has just started, so that the numbers are those of its checkpoint
 * @param lastNumbers of subtasks: the number of the last split that each has received. After a change of
 *     parallelism a reader may have the word of others, or none
 */
record SplitsReceived(boolean isStart, Map<Integer, Long> lastNumbers) implements SourceEvent {

    private static final long serialVersionUID = 1L;
}
