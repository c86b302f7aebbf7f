package io.flinkgpu.api;

import org.apache.flink.annotation.PublicEvolving;

/**
 * What a record asks for or says cannot be: the message says why in one line, and shows nothing that the record
 * contains.
 */
@PublicEvolving
public class BadRecordException extends IllegalArgumentException {

    private static final long serialVersionUID = 1L;

    protected BadRecordException(String format, Object... values) {
        super(Errors.present("format", format).formatted(values));
    }
}
