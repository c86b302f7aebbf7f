package io.flinkgpu.api.lookup;

import org.apache.flink.annotation.PublicEvolving;
import org.apache.flink.api.common.typeinfo.TypeInfo;

import java.util.Objects;

/**
 * A request with what was found for it. Its Flink type is a {@link LookupResultTypeInfo}.
 *
 * @param <Q> the request's record
 * @param record not null
 */
@TypeInfo(LookupResultTypeInfo.Factory.class)
@PublicEvolving
public record LookupResult<Q>(Q record, LookupValues values) {

    public LookupResult {
        Objects.requireNonNull(record, "record");
        Objects.requireNonNull(values, "values");
    }

    /** Without what the record contains and which values were found. */
    @Override
    public String toString() {
        return "LookupResult["
                + record.getClass().getSimpleName()
                + ", bags="
                + values.bags()
                + "]";
    }
}
