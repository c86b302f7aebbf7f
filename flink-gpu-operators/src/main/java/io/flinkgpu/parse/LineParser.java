package io.flinkgpu.parse;

import io.flinkgpu.api.lines.Delimited;

/**
 * Reads one line at a time as {@link Delimited} says: the definition that backends are held to, and what
 * reads the lines that they leave to the host. Keeps the fields of the last line. Not thread-safe.
 */
public final class LineParser {

    public LineParser(Delimited format) {
        throw new UnsupportedOperationException();
    }

    /**
     * Reads a line.
     *
     * @param from its first byte
     * @param to behind its last byte; a line's end is not part of it, a {@code '\r'} may be
     * @return null, or what is wrong with it: one line that names the field, its text shortened, and
     *     what is expected; the fields mean nothing then
     */
    public String parse(byte[] bytes, int from, int to) {
        throw new UnsupportedOperationException();
    }

    /** Whether a number's field is empty. */
    public boolean isNull(int field) {
        throw new UnsupportedOperationException();
    }

    /** An integer, a decimal's unscaled value, a timestamp, or a double's bits. */
    public long word(int field) {
        throw new UnsupportedOperationException();
    }

    /** A string's bytes, without quotes. */
    public byte[] text(int field) {
        throw new UnsupportedOperationException();
    }
}
