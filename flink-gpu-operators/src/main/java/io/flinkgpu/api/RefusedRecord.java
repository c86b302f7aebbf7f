package io.flinkgpu.api;

import org.apache.flink.annotation.PublicEvolving;

import java.util.Objects;

/**
 * Where a record is that could not be redacted, or is no query or no change of a document, and why; not what
 * it says.
 *
 * @param subtask of the operator
 * @param number of the record among those that the subtask has received since it last started, from 1
 * @param timestampMillis of the record; null if it has none
 * @param place the file and byte offset that a chunk of lines comes from; of a search the stream, {@code
 *     queries} or {@code changes}; else null
 * @param reason one line, as an error would have it: of an exception only the class, unless {@link
 *     GpuOptions#withErrorDetail} asks for more
 */
@PublicEvolving
public record RefusedRecord(
        int subtask, long number, Long timestampMillis, String place, String reason) {

    public RefusedRecord {
        Objects.requireNonNull(reason, "reason");
    }
}
