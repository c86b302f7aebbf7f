package io.flinkgpu.api;

import org.apache.flink.annotation.PublicEvolving;

import java.util.Objects;

/**
 * Where a record is that could not be redacted, and why; not what it says.
 *
 * @param subtask of the redaction
 * @param number of the record among those that the subtask has received since it last started, from 1
 * @param timestampMillis of the record; null if it has none
 * @param place the file and byte offset that it comes from; null unless it is a chunk of lines
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
