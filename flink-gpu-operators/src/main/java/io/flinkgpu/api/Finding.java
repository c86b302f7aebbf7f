package io.flinkgpu.api;

import org.apache.flink.annotation.PublicEvolving;

import java.util.Objects;

/**
 * What a redaction found, for an audit: where, and by which rule; never what.
 *
 * @param rule the name of the rule that replaced it
 * @param source the field of the record, or the file of the line; empty where a record has one text
 * @param record of a record, its number among those that the subtask has emitted since it last started, from 1; of a
 *     line, the offset of its first byte in the file
 * @param offsetBytes where it starts in that text as it came, in UTF-8
 * @param lengthBytes its bytes there
 * @param hash 32 hex digits of the HMAC-SHA-256 of what was found under the job's {@link HashKey}: the same for the same
 *     text
 * @param subtask of the operator
 * @param timestampMillis of the record; null if it has none
 * @param foundAtMillis when it left the operator, by the machine's clock
 */
@PublicEvolving
public record Finding(
        String rule,
        String source,
        long record,
        int offsetBytes,
        int lengthBytes,
        String hash,
        int subtask,
        Long timestampMillis,
        long foundAtMillis) {

    public Finding {
        Objects.requireNonNull(rule, "rule");
        Objects.requireNonNull(source, "source");
        Objects.requireNonNull(hash, "hash");
    }
}
