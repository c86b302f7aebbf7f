package io.flinkgpu.api.lookup;

import io.flinkgpu.api.BadRecordException;

import org.apache.flink.annotation.PublicEvolving;

/** A table, a request or a change that cannot be: its message says why in one line, and shows no id or element. */
@PublicEvolving
public final class BadVectorException extends BadRecordException {

    private static final long serialVersionUID = 1L;

    /**
     * @param format of the message, as of {@link String#format}
     * @param values in it, none of which a record contains
     */
    public BadVectorException(String format, Object... values) {
        super(format, values);
    }
}
