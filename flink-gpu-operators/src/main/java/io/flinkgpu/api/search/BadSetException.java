package io.flinkgpu.api.search;

import io.flinkgpu.api.BadRecordException;

import org.apache.flink.annotation.PublicEvolving;

/** A query or a change that cannot be: its message says why in one line, and shows no element. */
@PublicEvolving
public final class BadSetException extends BadRecordException {

    private static final long serialVersionUID = 1L;

    BadSetException(String format, Object... values) {
        super(format, values);
    }
}
