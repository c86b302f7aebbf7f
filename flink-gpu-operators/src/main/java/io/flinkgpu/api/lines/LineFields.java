package io.flinkgpu.api.lines;

import org.apache.flink.annotation.PublicEvolving;

/** The fields of one line that has its format, by their place in it. Valid until the next line is read. */
@PublicEvolving
public interface LineFields {

    /** Whether a number's field is empty. */
    boolean isNull(int field);

    /**
     * An integer, a decimal's unscaled value, a timestamp's milliseconds since 1970, or a double's bits; 0
     * if it is null.
     */
    long word(int field);

    /** A string's bytes of UTF-8, without quotes; the caller's own. */
    byte[] text(int field);
}
