package io.flinkgpu.column;

import java.util.Arrays;
import java.util.Optional;

/** The bytes that a column has for a String, for tests of other packages. */
public final class StringBytes {

    private StringBytes() {}

    public static byte[] encode(String text) {
        return Utf8.encode(text);
    }

    /** The String that has these bytes, if there is one. */
    public static Optional<String> decode(byte[] bytes) {
        String text = Utf8.decode(bytes, 0, bytes.length);
        return Arrays.equals(encode(text), bytes) ? Optional.of(text) : Optional.empty();
    }
}
