package io.flinkgpu.api;

import org.apache.flink.annotation.PublicEvolving;
import org.apache.flink.api.common.typeinfo.TypeInfo;

import java.util.Objects;

/**
 * A record that could not be aggregated.
 *
 * @param record not null
 * @param reason one line that names the field and what is wrong with its value, and shows value and key
 *     as far as {@link ErrorDetail} has it
 */
@TypeInfo(DeadLetterTypeInfo.Factory.class)
@PublicEvolving
public record DeadLetter<T>(T record, String reason) {

    public DeadLetter {
        Objects.requireNonNull(record, "record");
        Objects.requireNonNull(reason, "reason");
    }

    /** Without what the record contains. */
    @Override
    public String toString() {
        return "DeadLetter[" + record.getClass().getName() + ", " + reason + "]";
    }
}
